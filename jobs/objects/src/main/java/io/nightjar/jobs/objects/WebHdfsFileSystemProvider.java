package io.nightjar.jobs.objects;

import java.net.URI;
import java.util.Map;

/** Hadoop's distributed file system, by the HTTP interface of its NameNode. */
public final class WebHdfsFileSystemProvider extends ObjectFileSystemProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public WebHdfsFileSystemProvider() {
        super("webhdfs");
    }

    @Override
    ObjectStore open(URI address) {
        return open(address.getRawAuthority(), System.getenv());
    }

    static ObjectStore open(String server, Map<String, String> environment) {
        return new WebHdfsStore(
                "webhdfs://" + server + "/", "http://" + server + "/webhdfs/v1/", new HadoopIdentity(environment));
    }
}
