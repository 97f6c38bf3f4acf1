package io.nightjar.datasets.workload;

/** An application whose rows are in tables. */
abstract class Application implements ClientWorkload {

    final Workloads.Scale scale;
    final Keys keys = Keys.tables();

    Application(Workloads.Scale scale) {
        this.scale = scale;
    }

    @Override
    public final Keys keys() {
        return keys;
    }
}
