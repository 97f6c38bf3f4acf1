package io.nightjar.jobs.objects;

import io.nightjar.formats.history.Traffic;
import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One bucket, container or server. Keys have no slash at their ends; the root is the empty key.
 *
 * <p>Each method repeats requests that may succeed later, and then throws an exception whose message names the object.
 */
abstract class ObjectStore {

    final String root;
    final HttpCaller caller;

    ObjectStore(String root, HttpCaller caller) {
        this.root = root;
        this.caller = caller;
    }

    /** Returns the address of the root, such as {@code s3://bucket/}. */
    final String root() {
        return root;
    }

    /** Returns this store with separate counts, which begin at zero. */
    abstract ObjectStore counted();

    /** Returns the requests so far. */
    final Traffic traffic() {
        return caller.traffic();
    }

    /** Returns an object; null if the key has none. */
    abstract @Nullable ObjectInfo find(String key) throws IOException;

    /**
     * Reads a range of an object, all of which must be within it.
     *
     * @throws io.nightjar.formats.file.ChangedInputException if the object was replaced after it was found
     */
    byte[] read(ObjectInfo object, long start, int length) throws IOException {
        if (length == 0) {
            return new byte[0];
        }
        return HttpCaller.range(root + object.key(), object, start, length, answer(object, start, length));
    }

    /** Requests a range of an object, which is not empty. */
    abstract Answer answer(ObjectInfo object, long start, int length) throws IOException;

    /** Returns the headers that ask for a range of an object as it was found. */
    static Map<String, String> rangeHeaders(ObjectInfo object, long start, int length) {
        Map<String, String> headers = new TreeMap<>(Map.of("range", "bytes=" + start + "-" + (start + length - 1)));
        if (!object.etag().isEmpty()) {
            headers.put("if-match", object.etag());
        }
        return headers;
    }

    /** Returns the objects and folders directly in a folder, at most {@code max} of them. */
    abstract List<ObjectInfo> list(String folder, int max) throws IOException;

    /**
     * Writes an object, which becomes visible as a whole.
     *
     * @param onlyNew whether an object of this key must not exist
     * @throws java.nio.file.FileAlreadyExistsException if it must not, but does
     */
    abstract void write(String key, FileChannel content, boolean onlyNew) throws IOException;

    abstract void delete(String key) throws IOException;

    /**
     * Renames a file or folder.
     *
     * @param replaces whether a file of the new name is replaced
     * @throws java.nio.file.FileAlreadyExistsException if it is not, but exists
     */
    void rename(String from, String to, boolean replaces) throws IOException {
        throw new UnsupportedOperationException("objects are not renamed");
    }

    /** Returns whether an object has this content: a write whose answer was lost has written it. */
    boolean isWritten(String key, byte[] body) throws IOException {
        ObjectInfo found = find(key);
        return found != null
                && found.size() == body.length
                && body.length > 0
                && Arrays.equals(read(found, 0, body.length), body);
    }
}
