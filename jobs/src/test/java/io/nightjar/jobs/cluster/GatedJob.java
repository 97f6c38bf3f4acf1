package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job that adds up numbers behind an exchange, and waits there until it is let through. */
final class GatedJob {

    static final String SUM = "sum";
    static final long NUMBERS = 100_000;

    private final Path folder;

    /** @param folder where its tasks say that they have begun, and look whether they may go on */
    GatedJob(Path folder) {
        this.folder = folder;
    }

    void define(StreamExecutionEnvironment env) {
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        env.fromSequence(1, NUMBERS)
                .setParallelism(2)
                .name("read")
                .keyBy(number -> number % 64)
                .map(new Gate(folder.toString()))
                .returns(Types.LONG)
                .name("check")
                .setParallelism(2)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(2);
    }

    /** Whether that many tasks have come to the gate, or come again. */
    boolean hasArrived(int tasks) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count() >= tasks;
        }
    }

    void open() throws IOException {
        Files.createFile(folder.resolve("open"));
    }

    /** Adds up; before the first number it waits. */
    private static final class Gate extends RichMapFunction<Long, Long> {

        private static final long serialVersionUID = 1L;

        private final String folder;
        private transient LongCounter sum;

        Gate(String folder) {
            this.folder = folder;
        }

        @Override
        public Long map(Long number) throws InterruptedException {
            if (sum == null) {
                sum = new LongCounter();
                getRuntimeContext().addAccumulator(SUM, sum);
                pass();
            }
            sum.add(number);
            return number;
        }

        private void pass() throws InterruptedException {
            String task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() + "-"
                    + getRuntimeContext().getTaskInfo().getAttemptNumber();
            try {
                Files.createFile(Path.of(folder, task));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            while (!Files.exists(Path.of(folder, "open"))) {
                Thread.sleep(20);
            }
        }
    }
}
