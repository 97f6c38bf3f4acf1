package io.nightjar.jobs.objects;

import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path of an object store: its address if it is absolute, else a part of a key. */
final class ObjectPath implements Path {

    private final ObjectFileSystem system;
    private final ObjectStore store; // counts the requests of this path and of those derived from it
    private final String key;
    private final boolean isAbsolute;
    private final @Nullable ObjectInfo listed; // attributes of an entry of a listing

    ObjectPath(
            ObjectFileSystem system, ObjectStore store, String key, boolean isAbsolute, @Nullable ObjectInfo listed) {
        this.system = system;
        this.store = store;
        this.key = key;
        this.isAbsolute = isAbsolute;
        this.listed = listed;
    }

    String key() {
        return key;
    }

    ObjectStore store() {
        return store;
    }

    /** Returns the attributes that a listing stated; null if this path is from no listing. */
    @Nullable
    ObjectInfo listed() {
        return listed;
    }

    private ObjectPath relative(String name) {
        return new ObjectPath(system, store, name, false, null);
    }

    private ObjectPath absolute(String name) {
        return new ObjectPath(system, store, name, isAbsolute, null);
    }

    @Override
    public ObjectFileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return isAbsolute;
    }

    @Override
    public @Nullable Path getRoot() {
        return isAbsolute ? absolute("") : null;
    }

    @Override
    public @Nullable Path getFileName() {
        return key.isEmpty() ? null : relative(key.substring(key.lastIndexOf('/') + 1));
    }

    @Override
    public @Nullable Path getParent() {
        int slash = key.lastIndexOf('/');
        if (slash < 0) {
            return isAbsolute && !key.isEmpty() ? absolute("") : null;
        }
        return absolute(key.substring(0, slash));
    }

    private String[] names() {
        return key.isEmpty() ? new String[0] : key.split("/", -1);
    }

    @Override
    public int getNameCount() {
        return names().length;
    }

    @Override
    public Path getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public Path subpath(int begin, int end) {
        return relative(String.join("/", List.of(names()).subList(begin, end)));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof ObjectPath prefix
                && prefix.system.equals(system)
                && prefix.isAbsolute == isAbsolute
                && (prefix.key.isEmpty() || key.equals(prefix.key) || key.startsWith(prefix.key + "/"));
    }

    @Override
    public boolean endsWith(Path other) {
        return other instanceof ObjectPath suffix
                && (suffix.isAbsolute ? suffix.equals(this) : key.equals(suffix.key) || key.endsWith("/" + suffix.key));
    }

    @Override
    public Path normalize() {
        Deque<String> kept = new ArrayDeque<>();
        for (String name : names()) {
            if (name.equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            } else if (!name.equals(".") && !name.isEmpty()) {
                kept.addLast(name);
            }
        }
        return absolute(String.join("/", kept));
    }

    @Override
    public Path resolve(Path other) {
        if (!(other instanceof ObjectPath path)) {
            throw new ProviderMismatchException();
        }
        if (path.isAbsolute) {
            return path;
        }
        return path.key.isEmpty() ? this : absolute(key.isEmpty() ? path.key : key + "/" + path.key);
    }

    @Override
    public Path relativize(Path other) {
        if (!other.startsWith(this)) {
            throw new IllegalArgumentException("path is in another folder: this=" + this + " other=" + other);
        }
        String name = ((ObjectPath) other).key.substring(key.length());
        return relative(name.startsWith("/") ? name.substring(1) : name);
    }

    @Override
    public URI toUri() {
        return URI.create(store.root()).resolve("/" + HttpCaller.encode(key));
    }

    @Override
    public Path toAbsolutePath() {
        return isAbsolute ? this : new ObjectPath(system, store, key, true, null);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath().normalize();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("object stores report no changes");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectPath path
                && path.system.equals(system)
                && path.isAbsolute == isAbsolute
                && path.key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return isAbsolute ? store.root() + key : key;
    }
}
