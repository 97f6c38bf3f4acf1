package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** Containers of Azure Blob Storage. */
public final class AzureFileSystemProvider extends ObjectFileSystemProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public AzureFileSystemProvider() {
        super("az");
    }

    @Override
    ObjectStore open(URI address) {
        return open(address.getAuthority(), System.getenv());
    }

    static ObjectStore open(String container, Map<String, String> environment) {
        String root = "az://" + container + "/";
        Map<String, String> settings = new HashMap<>();
        for (String pair :
                environment.getOrDefault("AZURE_STORAGE_CONNECTION_STRING", "").split(";")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                settings.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        String account = first(
                environment,
                settings.getOrDefault("AccountName", ""),
                "AZURE_STORAGE_ACCOUNT",
                "AZURE_STORAGE_ACCOUNT_NAME");
        String key = first(
                environment, settings.getOrDefault("AccountKey", ""), "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY");
        String token =
                first(environment, settings.getOrDefault("SharedAccessSignature", ""), "AZURE_STORAGE_SAS_TOKEN");
        String server = first(environment, settings.getOrDefault("BlobEndpoint", ""), "AZURE_STORAGE_ENDPOINT");
        if (account.isEmpty() || key.isEmpty() && token.isEmpty()) {
            throw new AddressException("[" + root + "] no credentials for Azure: set AZURE_STORAGE_ACCOUNT and"
                    + " AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or AZURE_STORAGE_CONNECTION_STRING");
        }
        String used = server.isEmpty() ? "https://" + account + ".blob.core.windows.net" : server;
        URI endpoint = S3FileSystemProvider.endpoint(root, used, container);
        return new AzureStore(root, endpoint, account, key, token.replaceFirst("^\\?", ""));
    }

    private static String first(Map<String, String> environment, String other, String... names) {
        for (String name : names) {
            if (!environment.getOrDefault(name, "").isEmpty()) {
                return environment.getOrDefault(name, "");
            }
        }
        return other;
    }
}
