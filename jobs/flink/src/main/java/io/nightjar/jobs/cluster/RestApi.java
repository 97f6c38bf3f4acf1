package io.nightjar.jobs.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightjar.jobs.JsonMembers;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The few questions that are asked of a cluster without Flink's own client, which is patient and large. */
final class RestApi {

    private static final String NO_FLINK = "the answer is not that of a Flink cluster";
    private static final int PATIENCE_MS = 5_000;
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");

    private final String address;

    /** @param address host and port */
    RestApi(String address) {
        this.address = address;
    }

    /**
     * Overview that a cluster returns.
     *
     * @param taskManagers number of registered TaskManagers
     * @param slots their total number of slots, occupied ones included
     * @param version Flink's version
     */
    record Overview(int taskManagers, int slots, String version) {}

    /** @throws IOException if no response arrives, or the responding server is not a Flink cluster */
    Overview overview() throws IOException {
        JsonMembers overview = get("/overview");
        String version = overview.textOrNull("flink-version");
        if (!overview.has("taskmanagers") || !overview.has("slots-total") || version == null) {
            throw new IOException(NO_FLINK);
        }
        return new Overview((int) overview.number("taskmanagers", 0), (int) overview.number("slots-total", 0), version);
    }

    /** @throws IOException if no answer comes, or in another way than expected */
    List<TaskManagerSize> taskManagers() throws IOException {
        List<TaskManagerSize> sizes = new ArrayList<>();
        for (JsonMembers each : get("/taskmanagers").objects("taskmanagers")) {
            long heapBytes =
                    each.object("hardware").number("freeMemory", -1); // the maximum heap, which Flink calls free
            int slots = (int) each.number("slotsNumber", -1);
            if (heapBytes < 0 || slots < 1) {
                throw new IOException(NO_FLINK);
            }
            sizes.add(new TaskManagerSize(heapBytes, slots));
        }
        return sizes;
    }

    /** Requests the cancellation of a job; does nothing if the job does not exist. */
    void cancel(String job) throws IOException {
        // a GET request, since HttpURLConnection has no PATCH
        connect("/jobs/" + job + "/yarn-cancel").getResponseCode();
    }

    /** Returns whether a job exists and has not ended. */
    boolean isRunning(String job) throws IOException {
        if (connect("/jobs/" + job).getResponseCode() != HttpURLConnection.HTTP_OK) {
            return false;
        }
        String state = get("/jobs/" + job).textOrNull("state");
        if (state == null) {
            throw new IOException(NO_FLINK);
        }
        return !ENDED.contains(state);
    }

    private HttpURLConnection connect(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address + "/v1" + path).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(PATIENCE_MS);
        return connection;
    }

    private JsonMembers get(String path) throws IOException {
        HttpURLConnection connection = connect(path);
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("HTTP status " + connection.getResponseCode());
        }
        try (InputStream answer = connection.getInputStream()) {
            return JsonMembers.parse(answer);
        } catch (JsonProcessingException noJson) {
            throw new IOException(NO_FLINK, noJson);
        }
    }
}
