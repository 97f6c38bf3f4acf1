package io.nightjar.datasets.workload;

/** An application whose rows are in tables. */
abstract class Application implements ClientWorkload {

    final Workloads.Scale scale;
    final WorkloadKeys keys = WorkloadKeys.tables();

    Application(Workloads.Scale scale) {
        this.scale = scale;
    }

    @Override
    public final WorkloadKeys keys() {
        return keys;
    }
}
