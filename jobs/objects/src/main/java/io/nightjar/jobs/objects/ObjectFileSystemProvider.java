package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.Traffic;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Object stores of one scheme as file systems, one for each bucket, container or server. */
abstract class ObjectFileSystemProvider extends FileSystemProvider {

    /*
     * A store that fails is no missing file: the methods of Files that return a boolean would take an IOException for
     * one. Attributes and listings therefore throw a failing store as an UncheckedIOException.
     */

    private static final int ALL = Integer.MAX_VALUE;

    private final String scheme;
    private final Map<String, ObjectFileSystem> systemOf = new HashMap<>();

    ObjectFileSystemProvider(String scheme) {
        this.scheme = scheme;
    }

    /** Opens a store without requests. */
    abstract ObjectStore open(URI address);

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public FileSystem newFileSystem(URI address, Map<String, ?> settings) {
        return getFileSystem(address);
    }

    @Override
    public synchronized FileSystem getFileSystem(URI address) {
        return system(address);
    }

    private synchronized ObjectFileSystem system(URI address) {
        return systemOf.computeIfAbsent(address.getRawAuthority(), name -> new ObjectFileSystem(this, open(address)));
    }

    @Override
    public Path getPath(URI address) {
        return system(address).path(address.getPath());
    }

    private static ObjectPath object(Path path) {
        return (ObjectPath) path.toAbsolutePath();
    }

    // ---------------------------------------------------------------- attributes

    /** Returns the attributes of an object or folder; null if neither exists. */
    private static @Nullable ObjectInfo find(ObjectPath path) throws IOException {
        if (path.listed() != null) {
            return path.listed();
        }
        RecentObjects recent = path.getFileSystem().recent();
        ObjectInfo known = recent.find(path.key());
        if (known != null) {
            return known;
        }
        ObjectStore store = path.store();
        ObjectInfo found = path.key().isEmpty() ? null : store.find(path.key());
        if (found == null && !store.list(path.key(), 1).isEmpty()) {
            found = ObjectInfo.folder(path.key());
        }
        if (found != null) {
            recent.add(found);
        }
        return found;
    }

    private static ObjectInfo require(ObjectPath path) throws IOException {
        try {
            ObjectInfo found = find(path);
            if (found == null) {
                throw new NoSuchFileException(path.toString());
            }
            return found;
        } catch (NoSuchFileException | AccessDeniedException known) {
            throw known;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return type.cast(require(object(path)));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        ObjectPath object = object(path);
        if (names.startsWith(Addresses.TRAFFIC)) {
            Traffic traffic = object.store().traffic();
            return Map.of("requests", traffic.requests(), "bytes", traffic.bytes());
        }
        ObjectInfo found = require(object);
        return Map.of(
                "size", found.size(),
                "lastModifiedTime", found.lastModifiedTime(),
                "isDirectory", found.isDirectory(),
                "isRegularFile", found.isRegularFile(),
                "fileKey", found.fileKey());
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) {
        throw new UnsupportedOperationException("attributes of objects cannot be set: name=" + name);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        require(object(path));
    }

    @Override
    public boolean isSameFile(Path path, Path other) {
        return path.equals(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException("object stores state no free space");
    }

    // ---------------------------------------------------------------- reading

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND)) {
            throw new UnsupportedOperationException("an object is written as a whole: path=" + path);
        }
        ObjectInfo found = require(object(path));
        if (found.isDirectory()) {
            throw new NoSuchFileException(path.toString(), null, "is a directory");
        }
        return new ObjectChannel(object(path), found);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
        return Channels.newInputStream(newFileChannel(path, Set.of(StandardOpenOption.READ)));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        ObjectPath path = object(folder);
        List<Path> entries = new ArrayList<>();
        boolean isEmpty = true;
        try {
            for (ObjectInfo entry : path.store().list(path.key(), ALL)) {
                isEmpty = false;
                Path child = new ObjectPath(path.getFileSystem(), path.store(), entry.key(), true, entry);
                if (filter.accept(child)) {
                    entries.add(child);
                }
            }
        } catch (AccessDeniedException known) {
            throw known;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        if (isEmpty && !path.key().isEmpty()) {
            throw find(path) == null
                    ? new NoSuchFileException(folder.toString())
                    : new NotDirectoryException(folder.toString());
        }
        return new Entries(entries);
    }

    private record Entries(List<Path> paths) implements DirectoryStream<Path> {

        @Override
        public Iterator<Path> iterator() {
            return paths.iterator();
        }

        @Override
        public void close() {
            // no resources
        }
    }

    // ---------------------------------------------------------------- writing

    /** Opens a stream whose content becomes an object when it is closed; buffered in a file until then. */
    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
        boolean onlyNew = List.of(options).contains(StandardOpenOption.CREATE_NEW);
        return new ObjectOutput(openBuffer(), object(path), onlyNew);
    }

    private static FileChannel openBuffer() throws IOException {
        return FileChannel.open(
                Files.createTempFile("nightjar-object-", ".tmp"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The file in which an object is collected. */
    private static final class ObjectOutput extends OutputStream {

        private final FileChannel content;
        private final OutputStream out;
        private final ObjectPath path;
        private final boolean onlyNew;
        private boolean isFailed;

        private ObjectOutput(FileChannel content, ObjectPath path, boolean onlyNew) {
            this.content = content;
            this.out = Channels.newOutputStream(content);
            this.path = path;
            this.onlyNew = onlyNew;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException failed) {
                isFailed = true; // an object that lacks bytes must not appear
                throw failed;
            }
        }

        @Override
        public void close() throws IOException {
            if (!content.isOpen()) {
                return;
            }
            try (content) {
                if (!isFailed) {
                    path.store().write(path.key(), content, onlyNew);
                    path.getFileSystem().recent().forget(path.key());
                }
            }
        }
    }

    /** Does nothing: a folder exists while it has objects. */
    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) {
        if (object(folder).store() instanceof WebStore) {
            throw new AddressException("[" + folder + "] files of a web server are only read; name another location");
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        ObjectPath object = object(path);
        ObjectFileSystem system = object.getFileSystem();
        system.recent().forget(object.key());
        if (object.store().find(object.key()) != null) {
            object.store().delete(object.key());
        } else if (object.store().list(object.key(), 1).isEmpty()) {
            throw new NoSuchFileException(path.toString());
        } else {
            throw new DirectoryNotEmptyException(path.toString());
        }
    }

    /** Copies through this process, since some stores cannot copy an object. */
    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        ObjectPath to = object(target);
        try (InputStream in = newInputStream(source);
                FileChannel content = openBuffer()) {
            in.transferTo(Channels.newOutputStream(content));
            to.store().write(to.key(), content, false);
            to.getFileSystem().recent().forget(to.key());
        }
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        ObjectPath from = object(source);
        ObjectPath to = object(target);
        from.store().rename(from.key(), to.key(), List.of(options).contains(StandardCopyOption.REPLACE_EXISTING));
        from.getFileSystem().recent().forget(from.key());
        from.getFileSystem().recent().forget(to.key());
    }
}
