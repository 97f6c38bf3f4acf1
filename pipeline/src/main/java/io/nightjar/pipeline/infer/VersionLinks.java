package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;

/** Links between versions of one key, as columns, with their source and the transactions that show them. */
final class VersionLinks {

    private static final VersionSource[] SOURCES = VersionSource.values();

    private final IntColumn from = new IntColumn();
    private final IntColumn to = new IntColumn();
    private final IntColumn source = new IntColumn();
    private final IntColumn earlier = new IntColumn();
    private final IntColumn later = new IntColumn();

    void add(int fromVersion, int toVersion, VersionSource by, int earlierTxn, int laterTxn) {
        from.add(fromVersion);
        to.add(toVersion);
        source.add(by.ordinal());
        earlier.add(earlierTxn);
        later.add(laterTxn);
    }

    void add(VersionLinks other, int link) {
        add(other.from(link), other.to(link), other.source(link), other.earlier.get(link), other.later.get(link));
    }

    int size() {
        return from.size();
    }

    int from(int link) {
        return from.get(link);
    }

    int to(int link) {
        return to.get(link);
    }

    VersionSource source(int link) {
        return SOURCES[source.get(link)];
    }

    CyclicVersions.Link link(int link) {
        return new CyclicVersions.Link(from(link), to(link), source(link), earlier.get(link), later.get(link));
    }

    VersionLinks with(VersionLinks others) {
        VersionLinks all = new VersionLinks();
        for (int link = 0; link < size(); link++) {
            all.add(this, link);
        }
        for (int link = 0; link < others.size(); link++) {
            all.add(others, link);
        }
        return all;
    }

    VersionLinks inOrder(int[] order) {
        VersionLinks ordered = new VersionLinks();
        for (int link : order) {
            ordered.add(this, link);
        }
        return ordered;
    }

    /** Returns the links ordered by the key of their versions, otherwise as they were added. */
    int[] byKey(Versions versions, int keyCount) {
        int[] next = new int[keyCount + 1];
        for (int link = 0; link < size(); link++) {
            next[versions.key(from(link)) + 1]++;
        }
        CountingSort.addUp(next);
        int[] ordered = new int[size()];
        for (int link = 0; link < ordered.length; link++) {
            ordered[next[versions.key(from(link))]++] = link;
        }
        return ordered;
    }
}
