package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.infer.Observations;
import io.nightjar.pipeline.primitive.CountingSort;
import java.util.Arrays;

/** Candidates of observations as versions, and the observations of each key. */
final class CandidateVersions {

    /*
     * Layout.
     *
     *   version of a candidate   versionOf[firstVersionOf[set]] .. [set + 1], ascending: chain by chain
     *   run                      a key's versions of one chain: firstRunOf[key] .. [key + 1], versions firstOfRun[run] .. [run + 1]
     *   observation of a key     observationOf[firstObservationOf[key]] .. [key + 1]
     */

    final Observations observations;

    /** By observation. */
    final int[] readerSlotOf;

    final int[] firstVersionOf;
    final int[] versionOf;
    final int maxCandidates;

    /** By candidate of a sum, parallel to the versions; empty without sums. */
    final long[] deltaOf;

    final int[] firstRunOf;
    final int[] firstOfRun;
    final int[] runOf; // by version
    final int maxRuns;

    final int[] firstObservationOf;
    final int[] observationOf;

    CandidateVersions(ChainedHistory history, Observations observations) {
        this.observations = observations;
        this.readerSlotOf = new int[observations.count];
        for (int txn = 0; txn < history.txnCount; txn++) {
            Arrays.fill(readerSlotOf, observations.firstOf[txn], observations.firstOf[txn + 1], history.slotOf[txn]);
        }
        this.firstVersionOf = observations.firstCandidateOf;
        this.versionOf = new int[observations.candidate.length];
        int maxOfSet = 0;
        for (int set = 0; set < observations.setCount; set++) {
            int end = firstVersionOf[set + 1];
            maxOfSet = Math.max(maxOfSet, end - firstVersionOf[set]);
            for (int i = firstVersionOf[set]; i < end; i++) {
                versionOf[i] = history.versionOf(history.slotOf[observations.candidate[i]], observations.keyOf[set]);
            }
            Arrays.sort(versionOf, firstVersionOf[set], end);
        }
        this.maxCandidates = maxOfSet;
        this.deltaOf = new long[observations.hasSums() ? versionOf.length : 0];
        for (int set = 0; set < observations.setCount; set++) {
            for (int i = firstVersionOf[set]; observations.isSum(set) && i < firstVersionOf[set + 1]; i++) {
                deltaOf[i] = observations.deltaOf(
                        history.txnOf[history.writerOfVersion[versionOf[i]]], observations.keyOf[set]);
            }
        }
        int keys = history.source.keyCount;
        this.firstRunOf = new int[keys + 1];
        this.runOf = new int[history.versionCount];
        int[] runs = new int[history.versionCount + 1];
        int count = 0;
        int max = 0;
        for (int key = 0; key < keys; key++) {
            firstRunOf[key] = count;
            int chain = -1;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int ofVersion = history.chainOf[history.writerOfVersion[version]];
                if (ofVersion != chain) {
                    chain = ofVersion;
                    runs[count++] = version;
                }
                runOf[version] = count - 1;
            }
            max = Math.max(max, count - firstRunOf[key]);
        }
        firstRunOf[keys] = count;
        runs[count] = history.versionCount;
        this.firstOfRun = Arrays.copyOf(runs, count + 1);
        this.maxRuns = max;
        int[] keyOf = new int[observations.count];
        for (int observation = 0; observation < keyOf.length; observation++) {
            keyOf[observation] = observations.keyRead(observation);
        }
        this.firstObservationOf = CountingSort.firstOf(keyOf, keys);
        this.observationOf = CountingSort.entries(keyOf, firstObservationOf);
    }
}
