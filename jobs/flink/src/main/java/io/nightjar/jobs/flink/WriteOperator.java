package io.nightjar.jobs.flink;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.InputFingerprint;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.Reporter;
import io.nightjar.jobs.run.StageMetrics;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Stages 6 and 7, one task: merges the results of all tasks, replays and explains findings, writes the tables and
 * commits them atomically, once.
 */
final class WriteOperator extends OutcomeOperator {

    private static final long serialVersionUID = 1;

    static final String ENGINE = "flink";

    private transient FetchedRows fetched;

    WriteOperator(JobSpec spec) {
        super(spec, "write");
    }

    @Override
    public void open() throws Exception {
        super.open();
        fetched = new FetchedRows(spillFolders());
        getRuntimeContext().addAccumulator(JobReply.ACCUMULATOR, new ListAccumulator<String>());
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.SLICE) {
            fetched.add(chunk, element.getTimestamp());
        } else {
            super.processElement(element);
        }
    }

    @Override
    public void endInput() throws IOException {
        JobReply answer;
        try {
            answer = answer();
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
        getRuntimeContext()
                .<String, ArrayList<String>>getAccumulator(JobReply.ACCUMULATOR)
                .add(answer.encode());
    }

    private JobReply answer() throws IOException {
        PlanMessage plan = outcome.plan();
        Rejection rejection = plan.badRows().rejection();
        if (rejection != null) {
            return new JobReply(JobReply.Kind.REJECTED, rejection.encode());
        }
        if (plan.misuse() != null) {
            return new JobReply(JobReply.Kind.MISUSE, plan.misuse());
        }
        try {
            return JobReply.of(write());
        } catch (UsageException wrong) {
            if (getRuntimeContext().getTaskInfo().getAttemptNumber() > 0) { // this was accepted in the first attempt
                throw new LakeException("an attempt before may still write: " + wrong.getMessage());
            }
            return new JobReply(JobReply.Kind.MISUSE, String.valueOf(wrong.getMessage()));
        }
    }

    private RunResult write() throws IOException {
        for (ReadingMessage first : outcome.readings()) {
            if (first.reading() != null) {
                source().expect(first.split(), first.reading());
            }
        }
        spilled(fetched.byteCount());
        outcome.add(Chunk.of(0, StageMessage.ofSpilled(FetchRowsOperator.WORD, fetched.byteCount())));
        CheckOptions options = outcome.options();
        ValidatingScanner rows = rowsOf(source());
        DeadLetters deadLetters = outcome.deadLetters();
        if (deadLetters.count() > 0) {
            rows.setAsideBadRows(spec.columns());
        }
        StageMetrics allStages = outcome.stages(new ProgressListener() {
            @Override
            public Task begin(String what, long total) {
                expect(Math.max(0, total));
                return WriteOperator.this::advance;
            }

            @Override
            public void printNote(String line) {}
        });
        allStages.reads(source());
        Conclusion conclusion = outcome.conclusion();
        ValidatingScanner toReplay =
                outcome.areRowsFetched(conclusion) ? rowsOf(fetched.of(source(), outcome.fetchedRows())) : rows;
        long startNs = System.nanoTime() - (System.currentTimeMillis() - spec.startMillis) * 1_000_000;
        Instant startedAt = Instant.ofEpochMilli(spec.startMillis);
        try (LakeRun run = LakeRun.begin(
                options, spec.checkerVersion, spec.input.uri(), Addresses.path(spec.input.path()), startedAt)) {
            if (run.stored() != null) {
                return run.stored();
            }
            RunResult result = new Reporter(conclusion, rows, toReplay, deadLetters, allStages, ENGINE, run.writer())
                    .report(startNs);
            checkUnchanged();
            return run.commit(result);
        }
    }

    /** Returns rows to be read by the threads of all slots, since other tasks have ended. */
    private ValidatingScanner rowsOf(HistorySource of) {
        CheckOptions options = outcome.options();
        return new ValidatingScanner(of, slots(), options.memoryBytes(), options.spillParent());
    }

    /** Verifies that the files are unchanged since the job was started, when this task may not have read them. */
    private void checkUnchanged() throws IOException {
        source().checkUnchanged();
        if (spec.input.fingerprint() != null
                && !spec.input.fingerprint().equals(InputFingerprint.of(Addresses.path(spec.input.path())))) {
            throw new ChangedInputException(InputLocation.file(spec.input.uri()), "fingerprint=another");
        }
    }

    @Override
    public void close() throws Exception {
        if (fetched != null) {
            fetched.close();
        }
        super.close();
    }
}
