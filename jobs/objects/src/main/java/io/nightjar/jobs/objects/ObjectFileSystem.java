package io.nightjar.jobs.objects;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The file system of one bucket, container or server. */
final class ObjectFileSystem extends FileSystem {

    private final ObjectFileSystemProvider provider;
    private final ObjectStore store;
    private final RecentObjects recent = new RecentObjects();

    ObjectFileSystem(ObjectFileSystemProvider provider, ObjectStore store) {
        this.provider = provider;
        this.store = store;
    }

    /** Returns the attributes and bytes that were read last. */
    RecentObjects recent() {
        return recent;
    }

    ObjectPath path(String key) {
        return new ObjectPath(this, store.counted(), trim(key), true, null);
    }

    private static String trim(String key) {
        return key.replaceAll("/{2,}", "/").replaceAll("^/|/$", "");
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("the process has one file system for each bucket");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(path(""));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    /** Returns a relative path, as {@link Path#resolve(String)} needs it. */
    @Override
    public Path getPath(String first, String... more) {
        String all = more.length == 0 ? first : first + "/" + String.join("/", more);
        return new ObjectPath(this, store, trim(all), false, null);
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        // a glob of one name, which files of this machine match in the same way
        PathMatcher ofNames = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
        return path -> ofNames.matches(Path.of(path.toString()));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("objects have no owners");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("object stores report no changes");
    }
}
