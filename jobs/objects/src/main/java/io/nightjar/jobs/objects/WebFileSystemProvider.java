package io.nightjar.jobs.objects;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Files of web servers. */
public final class WebFileSystemProvider extends ObjectFileSystemProvider {

    private final Map<String, Map<String, String>> queriesOf = new HashMap<>(); // by server

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public WebFileSystemProvider() {
        this("http");
    }

    private WebFileSystemProvider(String scheme) {
        super(scheme);
    }

    /** The same over TLS. */
    public static final class Secure extends ObjectFileSystemProvider {

        private final WebFileSystemProvider web = new WebFileSystemProvider("https");

        /** Creates the provider, for {@link java.util.ServiceLoader}. */
        public Secure() {
            super("https");
        }

        @Override
        public Path getPath(URI address) {
            web.remember(address);
            return super.getPath(address);
        }

        @Override
        ObjectStore open(URI address) {
            return web.open(address);
        }
    }

    @Override
    public Path getPath(URI address) {
        remember(address);
        return super.getPath(address);
    }

    private synchronized Map<String, String> queries(URI address) {
        return queriesOf.computeIfAbsent(address.getRawAuthority(), server -> new HashMap<>());
    }

    private void remember(URI address) {
        if (address.getRawQuery() != null) {
            queries(address).put(address.getPath().replaceAll("^/|/$", ""), "?" + address.getRawQuery());
        }
    }

    @Override
    ObjectStore open(URI address) {
        return new WebStore(getScheme() + "://" + address.getRawAuthority() + "/", queries(address));
    }
}
