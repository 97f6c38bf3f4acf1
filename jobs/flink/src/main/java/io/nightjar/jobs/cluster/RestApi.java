package io.nightjar.jobs.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The few questions that are asked of a cluster without Flink's own client, which is patient and large. */
final class RestApi {

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
        try (InputStream answer = get("/overview");
                JsonParser json = new JsonFactory().createParser(answer)) {
            int taskManagers = -1;
            int slots = -1;
            String version = null;
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the answer is not that of a Flink cluster");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "taskmanagers" -> taskManagers = json.getIntValue();
                    case "slots-total" -> slots = json.getIntValue();
                    case "flink-version" -> version = json.getText();
                    default -> json.skipChildren();
                }
            }
            if (taskManagers < 0 || slots < 0 || version == null) {
                throw new IOException("the answer is not that of a Flink cluster");
            }
            return new Overview(taskManagers, slots, version);
        }
    }

    /** @throws IOException if no answer comes, or in another way than expected */
    List<TaskManagerSize> taskManagers() throws IOException {
        List<TaskManagerSize> sizes = new ArrayList<>();
        try (InputStream answer = get("/taskmanagers");
                JsonParser json = new JsonFactory().createParser(answer)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.FIELD_NAME
                        && json.currentName().equals("taskmanagers")) {
                    json.nextToken();
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        sizes.add(taskManager(json));
                    }
                }
            }
        }
        return sizes;
    }

    private static TaskManagerSize taskManager(JsonParser json) throws IOException {
        long heapBytes = -1;
        int slots = -1;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "slotsNumber" -> slots = json.getIntValue();
                case "hardware" -> heapBytes = heapOf(json);
                default -> json.skipChildren();
            }
        }
        if (heapBytes < 0 || slots < 1) {
            throw new IOException("the answer is not that of a Flink cluster");
        }
        return new TaskManagerSize(heapBytes, slots);
    }

    /** Returns the maximum heap of the JVM, which Flink calls free. */
    private static long heapOf(JsonParser json) throws IOException {
        long heapBytes = -1;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            if (name.equals("freeMemory")) {
                heapBytes = json.getLongValue();
            }
        }
        return heapBytes;
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
        try (InputStream answer = get("/jobs/" + job);
                JsonParser json = new JsonFactory().createParser(answer)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("state")) {
                    return !ENDED.contains(json.getText());
                }
                json.skipChildren();
            }
        }
        throw new IOException("the answer is not that of a Flink cluster");
    }

    private HttpURLConnection connect(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address + "/v1" + path).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(PATIENCE_MS);
        return connection;
    }

    private InputStream get(String path) throws IOException {
        HttpURLConnection connection = connect(path);
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("HTTP status " + connection.getResponseCode());
        }
        return connection.getInputStream();
    }
}
