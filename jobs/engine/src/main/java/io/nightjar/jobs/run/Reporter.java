package io.nightjar.jobs.run;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.IncompleteRecording;
import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.registry.RecordingRemarks;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.artifact.ArtifactWriter;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentRow;
import io.nightjar.pipeline.explain.FindingSentences;
import io.nightjar.pipeline.explain.ListCut;
import io.nightjar.pipeline.explain.PresentationOrder;
import io.nightjar.pipeline.explain.StartColumnSuspicion;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.validate.HistoryLint;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.verify.FaultyOps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stages 6 and 7: every finding is replayed against the raw history, explained, and written. */
public final class Reporter {

    /** Approximate size of a finding's transactions while they are fetched and replayed. */
    private static final int BYTES_OF_EVIDENCE = 4_000;

    private static final int MIN_BATCH = 1_000;

    /** Anomalies that lint names as well. */
    private static final Set<Anomaly> LINTED = EnumSet.of(Anomaly.DUPLICATE_WRITE, Anomaly.GARBAGE_READ);

    private static final int MAX_VALUE_CHARS = 80;

    private final Conclusion conclusion;
    private final ValidatingScanner rows;
    private final ValidatingScanner toReplay;
    private final DeadLetters deadLetters;
    private final StageMetrics stages;
    private final String engine;
    private final @Nullable RunWriter writer;
    private final CheckOptions options;
    private final @Nullable ArtifactWriter artifacts;
    private final Map<Anomaly, String> exampleOf = new EnumMap<>(Anomaly.class);

    /**
     * @param rows the rows of the history, to read again
     * @param deadLetters number of malformed rows that were skipped
     * @param stages the stages so far; later stages are added
     * @param engine name of the engine that checked the history
     * @param writer null if no tables are written
     */
    public Reporter(
            Conclusion conclusion,
            ValidatingScanner rows,
            DeadLetters deadLetters,
            StageMetrics stages,
            String engine,
            @Nullable RunWriter writer) {
        this(conclusion, rows, rows, deadLetters, stages, engine, writer);
    }

    /** @param toReplay a subset of these rows that suffices to replay the findings */
    public Reporter(
            Conclusion conclusion,
            ValidatingScanner rows,
            ValidatingScanner toReplay,
            DeadLetters deadLetters,
            StageMetrics stages,
            String engine,
            @Nullable RunWriter writer) {
        this.conclusion = conclusion;
        this.rows = rows;
        this.toReplay = toReplay;
        this.deadLetters = deadLetters;
        this.stages = stages;
        this.engine = engine;
        this.writer = writer;
        this.options = conclusion.options();
        String historyId = LakeNames.historyId(rows.source().uri());
        this.artifacts = options.artifacts() == null
                ? null
                : new ArtifactWriter(options.artifacts(), historyId, options.maxAnomalies());
    }

    /**
     * Writes all requested outputs except the commit of the run, and returns the result.
     *
     * @param startNs when the run began, by this process's {@code System.nanoTime}
     */
    public RunResult report(long startNs) throws IOException {
        WitnessFile.write(conclusion);
        List<Finding> inTime = conclusion.findings().inTime();
        Listing listing = new Listing(
                inTime, options.maxAnomalies(), writer == null, conclusion::reported, conclusion::isWithdrawn);
        long written = writeFindings(listing);
        List<LintFinding> lint = lint(inTime, written);
        if (writer != null) {
            writeRest(lint, writer);
        }
        String runId = writer == null ? null : writer.runId();
        return conclusion.result(
                rows.source().uri(),
                engine,
                runId,
                (System.nanoTime() - startNs) / 1e9,
                listing.listed(),
                faults(listing),
                lint);
    }

    /**
     * Counts each fault once; if not all findings were kept, at least the faults that were counted at one level.
     */
    private RunResult.Faults faults(Listing listing) {
        Findings findings = conclusion.findings();
        long kept = listing.order.faultCount();
        boolean areAllKept = findings.keptCount() >= findings.total();
        boolean isExact = areAllKept
                && conclusion.levels().values().stream()
                        .allMatch(level -> level.bound().isEmpty());
        return new RunResult.Faults(areAllKept ? kept : Math.max(kept, findings.minFaults()), isExact);
    }

    /** The listed findings, their order, and the form in which each is reported. */
    private static final class Listing {

        private final List<Finding> findings; // findings to replay
        private final PresentationOrder order; // order of all findings
        private final List<Integer> chosen; // indices of the listed findings, in their order
        private final Set<Integer> isChosen;
        private final UnaryOperator<Finding> naming;
        private final Predicate<Finding> isWithdrawn;
        private final Map<Finding, Integer> positionOf = new IdentityHashMap<>();
        private final Map<Integer, ListedAnomaly> listedAt = new HashMap<>();

        /**
         * @param onlyListed whether the others need not be replayed
         * @param naming converts a finding to the form in which it is reported
         * @param isWithdrawn whether a finding is omitted because its replay did not end
         */
        Listing(
                List<Finding> inTime,
                int maxListed,
                boolean onlyListed,
                UnaryOperator<Finding> naming,
                Predicate<Finding> isWithdrawn) {
            this.naming = naming;
            this.isWithdrawn = isWithdrawn;
            order = PresentationOrder.of(inTime);
            chosen = order.listed(maxListed);
            for (int i = 0; i < inTime.size(); i++) {
                positionOf.put(inTime.get(i), i);
            }
            isChosen = new HashSet<>(chosen);
            findings = onlyListed
                    ? inTime.stream()
                            .filter(finding -> isChosen.contains(positionOf.get(finding)))
                            .toList()
                    : inTime;
        }

        private int position(Finding found) {
            return requireNonNull(positionOf.get(found));
        }

        boolean isListed(Finding found) {
            return isChosen.contains(positionOf.get(found));
        }

        /** Returns the id of the finding that reports the same anomaly first, or null. */
        @Nullable
        String relatedTo(Finding found) {
            Finding first = order.relatedTo(position(found));
            return first == null || isWithdrawn.test(first)
                    ? null
                    : naming.apply(first).anomalyId();
        }

        void add(Finding found, Finding named, String explanation) {
            Set<Long> txns = new LinkedHashSet<>();
            named.participants().forEach(participant -> txns.add(participant.txnId()));
            int position = position(found);
            ListedAnomaly anomaly = new ListedAnomaly(
                    named.anomalyId(),
                    named.anomaly().spelling(),
                    named.pattern(),
                    named.level(),
                    List.copyOf(txns),
                    named.objectKey(),
                    explanation,
                    new RunResult.Tellings(originOf(named), relatedTo(found), order.otherTellings(position)));
            listedAt.put(position, anomaly);
        }

        private static @Nullable String originOf(Finding named) {
            Finding.Origin origin =
                    named.expectation() == null ? null : named.expectation().origin();
            return origin == null ? null : origin.word();
        }

        List<ListedAnomaly> listed() {
            return chosen.stream().map(listedAt::get).filter(Objects::nonNull).toList();
        }
    }

    /**
     * Returns the number of findings that are fetched and replayed in one pass; for more findings, the rows are read
     * again.
     */
    public static int maxBatch(CheckOptions options) {
        return (int) Math.max(MIN_BATCH, options.memoryBytes() / 4 / BYTES_OF_EVIDENCE);
    }

    /** Returns the number of findings in the tables. */
    private long writeFindings(Listing listing) throws IOException {
        Confirmation confirmation = new Confirmation(conclusion, toReplay, rows, stages);
        int atOnce = maxBatch(options);
        long written = 0;
        for (int first = 0; first < listing.findings.size(); first += atOnce) {
            int end = Math.min(listing.findings.size(), first + atOnce);
            List<Finding> batch = listing.findings.subList(first, end);
            ParticipantRows evidence = new ParticipantRows(ParticipantRows.participantsOf(batch));
            List<Finding> named = conclusion.isConfirmed()
                    ? confirmation.gather(batch, evidence)
                    : confirmation.confirm(batch, evidence);
            written += write(batch, named, evidence, listing);
        }
        if (artifacts != null) {
            artifacts.finish(conclusion.findings().total());
        }
        return written;
    }

    private void writeRest(List<LintFinding> lint, RunWriter writer) {
        LakeRow.Ids ids = writer.ids();
        for (LintFinding finding : lint) {
            writer.add(new LakeRow.LintFinding(
                    ids,
                    finding.ruleId(),
                    finding.severity().word(),
                    finding.count(),
                    finding.example(),
                    finding.message()));
        }
        for (DeadLetters.DeadLetter letter : deadLetters.inOrder()) {
            writer.add(new LakeRow.DeadLetter(
                    ids, letter.file(), letter.row(), letter.fault().text(), letter.rawText()));
        }
        writeComponents(ids, writer);
        for (StageMetrics.StageRow row : stages.rows()) {
            writer.add(row.in(ids));
        }
    }

    /**
     * @param found as they were found
     * @param named the same as they were replayed
     */
    private long write(List<Finding> found, List<Finding> named, ParticipantRows evidence, Listing listing)
            throws IOException {
        long written = 0;
        FaultyOps ops = new FaultyOps(evidence);
        for (int i = 0; i < named.size(); i++) {
            if (conclusion.isWithdrawn(found.get(i))) {
                continue;
            }
            Finding finding = conclusion.reported(named.get(i));
            String explanation = FindingSentences.explain(finding, evidence::row);
            ExplainedFinding story =
                    ExplainedFinding.of(finding, evidence::row, participant -> ops.opIndexOf(finding, participant));
            if (listing.isListed(found.get(i))) {
                listing.add(found.get(i), finding, explanation);
                if (artifacts != null) {
                    artifacts.write(story, explanation);
                }
            }
            if (LINTED.contains(finding.anomaly())) {
                exampleOf.computeIfAbsent(finding.anomaly(), anomaly -> example(finding, evidence));
            }
            if (writer != null && writer.addAnomaly(story, explanation, listing.relatedTo(found.get(i)))) {
                written++;
            }
        }
        return written;
    }

    /** Returns where the first finding of its kind is found. */
    private static @Nullable String example(Finding finding, ParticipantRows evidence) {
        for (Participant participant : finding.participants()) {
            TxnRow row = evidence.row(participant.txnId());
            if (participant.role() != Role.EXPECTED_WRITER && row != null) {
                String value = finding.expectation() == null
                        ? ""
                        : " value=" + ListCut.cut(finding.expectation().observed(), List.of(), MAX_VALUE_CHARS);
                return InputLocation.row(row.location().file(), row.location().row()) + " txn_id=" + row.txnId()
                        + " key=" + finding.key() + value;
            }
        }
        return null;
    }

    private void writeComponents(LakeRow.Ids ids, RunWriter writer) {
        if (conclusion.values() == null) {
            return;
        }
        int id = 0;
        for (ComponentRow row : conclusion.values().componentsInOrder()) {
            writer.add(new LakeRow.Component(
                    ids,
                    id++,
                    row.sessionCount(),
                    row.txnCount(),
                    row.keyCount(),
                    row.verdict().word(),
                    row.searchStates(),
                    row.seconds()));
        }
    }

    private List<LintFinding> lint(List<Finding> inTime, long written) {
        Findings findings = conclusion.findings();
        List<LintFinding> lint = new ArrayList<>(conclusion.history().lint());
        if (conclusion.values() != null) {
            Map<Anomaly, Long> faults = conclusion.values().refuted().readFaults();
            lint.addAll(HistoryLint.values(
                    faults.getOrDefault(Anomaly.DUPLICATE_WRITE, 0L),
                    exampleOf.get(Anomaly.DUPLICATE_WRITE),
                    faults.getOrDefault(Anomaly.GARBAGE_READ, 0L),
                    exampleOf.get(Anomaly.GARBAGE_READ)));
        }
        if (conclusion.leavesPredicatesOut()) {
            lint.add(HistoryLint.predicatesNotJudged(conclusion.history().relationalCount()));
        }
        if (IncompleteRecording.isAt(rows.source().uri())) {
            lint.add(HistoryLint.incompleteRecording(rows.source().uri()));
        }
        List<String> unseen = RecordingRemarks.at(rows.source().uri());
        if (!unseen.isEmpty()) {
            lint.add(HistoryLint.unseen(rows.source().uri(), unseen));
        }
        if (deadLetters.count() > 0) {
            DeadLetters.DeadLetter first = deadLetters.inOrder().get(0);
            lint.add(HistoryLint.rowsSetAside(deadLetters.count(), first.file() + " row=" + first.row()));
        }
        SharedVersion shared = conclusion.sharedVersion();
        if (shared != null) {
            lint.add(HistoryLint.sharedVersions(1, null, shared.text()));
        }
        for (String doubt : Arrays.asList(StartColumnSuspicion.of(inTime), conclusion.timestampDoubt())) {
            if (doubt != null) {
                lint.add(HistoryLint.timestampColumn(doubt));
            }
        }
        if (writer != null && written < findings.total()) {
            lint.add(HistoryLint.tableCut(findings.total(), written));
        }
        return lint;
    }
}
