package io.nightjar.pipeline.check;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What the transactions of a generated history saw of each other, of any size. */
public final class GeneratedClients {

    private GeneratedClients() {}

    public static ClientHistory of(GeneratorOptions options) {
        OperationLogBuilder log = new OperationLogBuilder(null);
        try {
            HistoryGenerator.generate(options, log::add);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new ReadInference(ReadResolution.of(log.build()), true, false)
                .run()
                .history();
    }
}
