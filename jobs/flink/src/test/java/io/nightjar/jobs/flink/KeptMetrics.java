package io.nightjar.jobs.flink;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the counters of our group, beyond the end of their tasks. */
public final class KeptMetrics implements MetricReporter, MetricReporterFactory {

    private static final List<Kept> KEPT = new CopyOnWriteArrayList<>();

    private record Kept(String name, Counter counter) {}

    static void clear() {
        KEPT.clear();
    }

    /** What all tasks counted, by the counters' names. */
    static Map<String, Long> sums() {
        Map<String, Long> sums = new TreeMap<>();
        KEPT.forEach(kept -> sums.merge(kept.name(), kept.counter().getCount(), Long::sum));
        return sums;
    }

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return this;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        String[] scope = group.getScopeComponents();
        if (metric instanceof Counter counter && scope[scope.length - 1].equals("nightjar")) {
            KEPT.add(new Kept(name, counter));
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}

    @Override
    public void close() {}
}
