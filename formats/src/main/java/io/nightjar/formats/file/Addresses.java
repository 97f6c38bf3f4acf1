package io.nightjar.formats.file;

import io.nightjar.formats.history.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.spi.FileSystemProvider;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of histories and lakes: paths of this machine, and objects of a store such as {@code s3://bucket/key}.
 *
 * <p>Both are a {@link Path}, so that everything that reads or writes has one interface: {@code java.nio.file}. The file
 * systems of stores are services that an optional jar provides; they support sizes, reading at a position, listing,
 * writing an object as a whole, and creating an object unless it exists.
 */
public final class Addresses {

    /** Prefix of the attributes of paths of stores that count requests. */
    public static final String TRAFFIC = "traffic:";

    private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://([^/?#]*)(/?[^?]*)(\\?.*)?");
    private static final Set<String> WEB = Set.of("http", "https");
    private static final Set<String> BUCKETS = Set.of("s3", "gs", "az");
    private static final String HADOOP = "webhdfs";

    /** The stores of the class path, which are not searched before the first address. */
    private static final ServiceLoader<FileSystemProvider> STORES =
            ServiceLoader.load(FileSystemProvider.class, Addresses.class.getClassLoader());

    private Addresses() {}

    /**
     * Parses an address or a path.
     *
     * @throws AddressException if no store of the class path has the scheme, or the address is incomplete
     */
    public static Path path(String address) {
        Matcher match = ADDRESS.matcher(address);
        if (!match.matches()) {
            return Path.of(address);
        }
        String scheme = match.group(1).toLowerCase(Locale.ROOT);
        Path local = Path.of(address);
        return Files.exists(local) ? local : store(scheme, address).getPath(uri(scheme, match, address));
    }

    private static URI uri(String scheme, Matcher match, String address) {
        try {
            if (match.group(2).contains("@")) {
                throw new AddressException("address with a name or password: scheme=" + scheme
                        + "; set the variables of the store instead");
            }
            if (WEB.contains(scheme)) {
                return file(new URI(address));
            }
            String name = match.group(4) == null ? match.group(3) : match.group(3) + match.group(4);
            String key = name.startsWith("/") ? name : "/" + name;
            URI uri = new URI(scheme, match.group(2), key, null, null);
            if (match.group(2).isEmpty() || uri.getAuthority() == null) {
                throw new AddressException("[" + address + "] address has no bucket or server; write " + scheme
                        + (scheme.equals(HADOOP) ? "://HOST:PORT/PATH" : "://BUCKET/PATH"));
            }
            return uri;
        } catch (URISyntaxException wrong) {
            throw new AddressException("not an address: reason=" + wrong.getReason() + " position=" + wrong.getIndex());
        }
    }

    private static URI file(URI address) {
        if (address.getHost() == null || address.getPath().replace("/", "").isEmpty()) {
            throw new AddressException("address names no file: scheme=" + address.getScheme() + "; write "
                    + address.getScheme() + "://HOST/FILE");
        }
        return address;
    }

    private static FileSystemProvider store(String scheme, String address) {
        synchronized (STORES) {
            for (FileSystemProvider store : STORES) {
                if (store.getScheme().equals(scheme)) {
                    return store;
                }
            }
        }
        String location = "[" + withoutSecrets(address) + "] ";
        if (!WEB.contains(scheme) && !BUCKETS.contains(scheme) && !scheme.equals(HADOOP)) {
            throw new AddressException(
                    location + "addresses of this scheme are not supported: scheme=" + scheme
                            + " expected=s3|gs|az|webhdfs|http|https; or name a file or directory, such as one where that storage is mounted");
        }
        throw new AddressException(location + "object stores are not in this distribution: scheme=" + scheme
                + "; add nightjar-objects.jar to its folder app/lib");
    }

    /** Returns an address for messages: without the query, which may be a signature, and without a password. */
    public static String withoutSecrets(String address) {
        return address.replaceFirst("(?s)(?<=://)[^/?#]*@", "").replaceFirst("(?s)\\?.*", "");
    }

    /** Returns whether an address names a folder or object of a store, and neither a file of this machine nor a server. */
    public static boolean isStore(String address) {
        int end = address.indexOf("://");
        String scheme = end < 0 ? "" : address.substring(0, end).toLowerCase(Locale.ROOT);
        return BUCKETS.contains(scheme) || scheme.equals(HADOOP);
    }

    /** Returns whether a path is in a bucket: its objects are not renamed, and may have the name of a folder. */
    public static boolean isInBucket(Path path) {
        return isRemote(path)
                && BUCKETS.contains(path.getFileSystem().provider().getScheme());
    }

    /** Returns whether a path is an object of a store, or a folder of objects, and not a file of this machine. */
    public static boolean isRemote(Path path) {
        return !path.getFileSystem().equals(FileSystems.getDefault());
    }

    /** Returns whether a path is a page of a web server, which can only be read, one by one. */
    public static boolean isWeb(Path path) {
        return isRemote(path) && WEB.contains(path.getFileSystem().provider().getScheme());
    }

    /**
     * Returns the requests of a path of a store so far, its children and paths derived from it included; null
     * for files of this machine. Another path that was parsed from the same address counts separately.
     */
    public static @Nullable Traffic traffic(Path path) {
        if (!isRemote(path)) {
            return null;
        }
        try {
            Map<String, Object> counts = Files.readAttributes(path, TRAFFIC + "*");
            return new Traffic((long) counts.getOrDefault("requests", 0L), (long) counts.getOrDefault("bytes", 0L));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bug: counts are in memory", impossible);
        }
    }

    /** Returns whether a path is a file. Unlike {@link Files#isRegularFile}, a store that denies access is an error. */
    public static boolean isFile(Path path) throws IOException {
        if (!isRemote(path)) {
            return Files.isRegularFile(path);
        }
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).isRegularFile();
        } catch (NoSuchFileException absent) {
            return false;
        }
    }
}
