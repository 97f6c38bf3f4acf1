package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.BlockStream;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file system of Hadoop. Data are read from and written to the DataNode to which the NameNode redirects a request.
 *
 * <p>Files have neither entity tags nor conditions: the status of a file is compared after each range, and a file is
 * written under a hidden name and then renamed.
 */
final class WebHdfsStore extends ObjectStore {

    private final String endpoint;
    private final HadoopIdentity identity;

    WebHdfsStore(String root, String endpoint, HadoopIdentity identity) {
        this(root, endpoint, identity, new HttpCaller(false));
    }

    private WebHdfsStore(String root, String endpoint, HadoopIdentity identity, HttpCaller caller) {
        super(root, caller);
        this.endpoint = endpoint;
        this.identity = identity;
    }

    @Override
    ObjectStore counted() {
        return new WebHdfsStore(root, endpoint, identity, caller.counted());
    }

    private Answer call(String method, String key, String operation) throws IOException {
        return call(method, key, operation, null);
    }

    /** @param body the content for the DataNode; null for operations of the NameNode, and for reads */
    private Answer call(String method, String key, String operation, @Nullable FileChannel body) throws IOException {
        String query = "?op=" + operation + "&" + identity.parameter(root);
        URI uri = URI.create(endpoint + HttpCaller.encode(key) + query);
        Answer answer = caller.call(root + key, new HttpCaller.Maker() {
            @Override
            public HttpRequest make() {
                return HttpCaller.request(method, uri, Map.of(), null);
            }

            @Override
            public HttpRequest makeRedirected(URI location) throws IOException {
                return body == null
                        ? HttpCaller.request(method, location, Map.of(), null)
                        : HttpCaller.upload(method, location, publisher(body));
            }
        });
        if (answer.status() == 401 && !identity.hasToken()) {
            throw new AddressException("[" + root + key + "] server requires a delegation token: set"
                    + " HADOOP_TOKEN_FILE_LOCATION to a file of hdfs fetchdt");
        }
        return answer;
    }

    private static BodyPublisher publisher(FileChannel content) throws IOException {
        long size = content.size();
        return size == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> new Positioned(content)), size);
    }

    /** Reads a file from its beginning, independent of the position of its channel. */
    private static final class Positioned extends BlockStream {

        private final FileChannel content;
        private long position;

        private Positioned(FileChannel content) {
            this.content = content;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = content.read(ByteBuffer.wrap(into, offset, length), position);
            position += Math.max(0, count);
            return count;
        }
    }

    // ---------------------------------------------------------------- reading

    @Override
    @Nullable
    ObjectInfo find(String key) throws IOException {
        Answer answer = call("GET", key, "GETFILESTATUS");
        return answer.status() == 404 ? null : info(key, object(key, json(key, answer), "FileStatus"));
    }

    @Override
    Answer answer(ObjectInfo object, long start, int length) throws IOException {
        Answer answer = call("GET", object.key(), "OPEN&offset=" + start + "&length=" + length);
        ObjectInfo now = answer.status() == 200 ? find(object.key()) : object;
        return object.equals(now) ? answer : new Answer(412, answer.headers(), answer.body(), answer.attempts());
    }

    @Override
    List<ObjectInfo> list(String folder, int max) throws IOException {
        List<ObjectInfo> entries = new ArrayList<>();
        Answer answer = call("GET", folder, "LISTSTATUS");
        if (answer.status() == 404) {
            return entries;
        }
        Map<?, ?> statuses = object(folder, json(folder, answer), "FileStatuses");
        for (Object each : statuses.get("FileStatus") instanceof List<?> list ? list : List.of()) {
            if (each instanceof Map<?, ?> status
                    && status.get("pathSuffix") instanceof String name
                    && !name.isEmpty()) { // else the folder is a file
                entries.add(info(folder.isEmpty() ? name : folder + "/" + name, status));
            }
        }
        return entries;
    }

    private static ObjectInfo info(String key, Map<?, ?> status) {
        if ("DIRECTORY".equals(status.get("type"))) {
            return ObjectInfo.folder(key);
        }
        long modified = number(status, "modificationTime");
        String identity = number(status, "fileId") + "-" + modified;
        return new ObjectInfo(key, number(status, "length"), Instant.ofEpochMilli(modified), identity, false);
    }

    private static long number(Map<?, ?> status, String name) {
        return status.get(name) instanceof Long number ? number : 0;
    }

    private Map<?, ?> json(String key, Answer answer) throws IOException {
        if (answer.status() != 200) {
            throw HttpCaller.refused(root + key, answer);
        }
        return JsonItems.parse(answer.text()) instanceof Map<?, ?> map ? map : Map.of();
    }

    private Map<?, ?> object(String key, Map<?, ?> answer, String name) throws IOException {
        if (answer.get(name) instanceof Map<?, ?> object) {
            return object;
        }
        throw new IOException(
                "[" + root + key + "] answer is not that of a NameNode: missing=" + name + "; check host and port");
    }

    // ---------------------------------------------------------------- writing

    @Override
    void write(String key, FileChannel content, boolean onlyNew) throws IOException {
        int name = key.lastIndexOf('/') + 1;
        String hidden = key.substring(0, name) + "." + key.substring(name) + "." + UUID.randomUUID() + ".tmp";
        Answer answer = call("PUT", hidden, "CREATE&overwrite=true", content);
        boolean isDone = false;
        try {
            if (answer.status() != 201) {
                throw HttpCaller.refused(root + key, answer);
            }
            rename(hidden, key, !onlyNew);
            isDone = true;
        } finally {
            if (!isDone) {
                call("DELETE", hidden, "DELETE&recursive=false");
            }
        }
    }

    @Override
    void rename(String from, String to, boolean replaces) throws IOException {
        String destination = HttpCaller.encodeValue("/" + to);
        String option = replaces ? "OVERWRITE" : "NONE";
        Answer answer = call("PUT", from, "RENAME&destination=" + destination + "&renameoptions=" + option);
        boolean isRepeated = answer.attempts() > 1 && find(from) == null && find(to) != null; // the answer was lost
        if (answer.text().contains("FileAlreadyExistsException") && !isRepeated) {
            throw new FileAlreadyExistsException(root + to);
        }
        if ((answer.status() != 200 || answer.text().contains("false")) && !isRepeated) {
            throw HttpCaller.refused(root + to, answer);
        }
    }

    @Override
    void delete(String key) throws IOException {
        Answer answer = call("DELETE", key, "DELETE&recursive=false");
        if (answer.text().contains("PathIsNotEmptyDirectoryException")) {
            throw new DirectoryNotEmptyException(root + key);
        }
        if (answer.status() != 200 && answer.status() != 404) {
            throw HttpCaller.refused(root + key, answer);
        }
    }
}
