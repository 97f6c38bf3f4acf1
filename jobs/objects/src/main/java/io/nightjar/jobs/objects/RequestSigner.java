package io.nightjar.jobs.objects;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Signs requests with the sender's key. */
interface RequestSigner {

    /** Returns the headers to add to these. */
    Map<String, String> headers(String method, URI uri, Map<String, String> headers, byte[] body) throws IOException;

    /** Signs for this region from now on; returns whether that is a change. */
    default boolean useRegion(String region) {
        return false;
    }
}
