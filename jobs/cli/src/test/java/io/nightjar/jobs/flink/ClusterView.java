package io.nightjar.jobs.flink;

import static io.nightjar.fixtures.JsonTree.at;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The state of a cluster's jobs. */
public final class ClusterView {

    private final String address;

    public ClusterView(String address) {
        this.address = address;
    }

    /** Returns the state of the job whose name ends with the id of its run, or null if none exists. */
    String stateOf(String runId) throws IOException {
        Map<String, Object> job = job(runId);
        return job == null ? null : at(job, "state");
    }

    /** Returns the numbers of the TaskManagers where tasks of a stage run; none while it does not. */
    List<Integer> taskManagersOf(String runId, String stage) throws IOException {
        Map<String, Object> job = job(runId);
        if (job == null) {
            return List.of();
        }
        List<Integer> numbers = new ArrayList<>();
        String path = "/jobs/" + JsonTree.<String>at(job, "jid");
        for (Map<String, Object> vertex : JsonTree.<List<Map<String, Object>>>at(get(path), "vertices")) {
            if (isNamed(at(vertex, "name"), stage) && "RUNNING".equals(at(vertex, "status"))) {
                addTaskManagers(get(path + "/vertices/" + JsonTree.<String>at(vertex, "id")), numbers);
            }
        }
        return numbers;
    }

    private static void addTaskManagers(Map<String, Object> vertex, List<Integer> into) {
        for (Map<String, Object> task : JsonTree.<List<Map<String, Object>>>at(vertex, "subtasks")) {
            if ("RUNNING".equals(at(task, "status"))) {
                String id = at(task, "taskmanager-id");
                into.add(Integer.parseInt(id.substring(id.lastIndexOf('-') + 1)));
            }
        }
    }

    /** Returns why tasks of a job failed, the last time first; failures with one cause count as one. */
    public List<String> failuresOf(String runId) throws IOException {
        Map<String, Object> job = job(runId);
        if (job == null) {
            return List.of();
        }
        Map<String, Object> exceptions = get("/jobs/" + JsonTree.<String>at(job, "jid") + "/exceptions");
        List<Map<String, Object>> entries = at(exceptions, "exceptionHistory", "entries");
        return entries.stream()
                .map(entry -> entry.get("taskName") + " at " + entry.get("taskManagerId") + ": "
                        + messagesOf(at(entry, "stacktrace")))
                .toList();
    }

    private static String messagesOf(String stackTrace) {
        return stackTrace.lines().filter(line -> !line.startsWith("\t")).collect(Collectors.joining(" "));
    }

    /** Returns whether a task failed with this message. */
    boolean hasFailedWith(String runId, String words) throws IOException {
        return failuresOf(runId).toString().contains(words);
    }

    /** Operators of one task are joined by arrows. */
    private static boolean isNamed(String vertex, String stage) {
        return List.of(vertex.split("[ ,()\\[\\]]+")).contains(stage);
    }

    private Map<String, Object> job(String runId) throws IOException {
        List<Map<String, Object>> jobs = at(get("/jobs/overview"), "jobs");
        return jobs.stream()
                .filter(job -> JsonTree.<String>at(job, "name").endsWith(" " + runId))
                .findFirst()
                .orElse(null);
    }

    private Map<String, Object> get(String path) throws IOException {
        try (InputStream answer =
                URI.create("http://" + address + "/v1" + path).toURL().openStream()) {
            return JsonTree.object(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
