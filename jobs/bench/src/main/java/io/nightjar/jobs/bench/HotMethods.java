package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** The hottest methods of a process, by the samples of its flight recording. */
final class HotMethods {

    /** Of a result. */
    static final String MEMBER = "hot";

    static final String SAMPLES = "samples";
    static final String STOPPED = "stopped_s";
    static final String COMPILED = "compiled_s";
    static final String THREADS = "threads";
    static final String METHODS = "methods";

    private static final int MAX_METHODS = 10;
    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String COMPILERS = "jdk.CompilerStatistics";

    private HotMethods() {}

    /**
     * Returns the methods on top of most samples with their shares in percent, the shares of threads of a kind, the
     * number of samples, the seconds for which the collector stopped all threads, and the time that the compilers
     * worked.
     */
    static Map<String, Object> of(Path recording) throws IOException {
        Map<String, Integer> byMethod = new HashMap<>();
        Map<String, Integer> byThreads = new HashMap<>();
        int samples = 0;
        Duration stopped = Duration.ZERO;
        long compiledMs = 0;
        try (RecordingFile events = new RecordingFile(recording)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                String type = event.getEventType().getName();
                if (type.equals(COLLECTION)) {
                    stopped = stopped.plus(event.getDuration("sumOfPauses"));
                } else if (type.equals(COMPILERS)) {
                    compiledMs = Math.max(compiledMs, event.getLong("totalTimeSpent"));
                } else if (type.equals(SAMPLE)
                        && event.getStackTrace() != null
                        && !event.getStackTrace().getFrames().isEmpty()) {
                    samples++;
                    RecordedFrame top = event.getStackTrace().getFrames().get(0);
                    byMethod.merge(name(top.getMethod()), 1, Integer::sum);
                    byThreads.merge(kind(event.getThread("sampledThread")), 1, Integer::sum);
                }
            }
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(SAMPLES, samples);
        facts.put(STOPPED, stopped.toNanos() / 1e9);
        facts.put(COMPILED, compiledMs / 1e3);
        facts.put(THREADS, shares(byThreads, samples));
        facts.put(METHODS, shares(byMethod, samples));
        return facts;
    }

    private static Map<String, Object> shares(Map<String, Integer> samplesOf, int samples) {
        List<Map.Entry<String, Integer>> hottest = new ArrayList<>(samplesOf.entrySet());
        hottest.sort(
                Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
        Map<String, Object> shares = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> each : hottest.subList(0, Math.min(MAX_METHODS, hottest.size()))) {
            shares.put(each.getKey(), 100.0 * each.getValue() / samples);
        }
        return shares;
    }

    /** Returns the name of a thread without its number. */
    private static String kind(@Nullable RecordedThread thread) {
        String name = thread == null || thread.getJavaName() == null ? "unknown" : thread.getJavaName();
        return name.replaceAll("[-# ]*\\d+$", "");
    }

    /** Returns the class without its package, and the method. */
    private static String name(RecordedMethod method) {
        String type = method.getType().getName();
        return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + method.getName();
    }
}
