package io.nightjar.jobs.objects;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Attributes of an object, or of a folder of objects.
 *
 * @param key without a slash at its ends
 * @param etag identifies the content of the object; empty if the store states none
 */
record ObjectInfo(String key, long size, Instant modified, String etag, boolean isDirectory)
        implements BasicFileAttributes {

    static ObjectInfo folder(String key) {
        return new ObjectInfo(key, 0, Instant.EPOCH, "", true);
    }

    @Override
    public FileTime lastModifiedTime() {
        return FileTime.from(modified);
    }

    @Override
    public FileTime lastAccessTime() {
        return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
        return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
        return !isDirectory;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public Object fileKey() {
        return etag;
    }
}
