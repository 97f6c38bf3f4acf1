package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateClusterTest {

    private static PrivateCluster cluster;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        Configuration settings = new Configuration();
        settings.set(CoreOptions.TMP_DIRS, folder.toString());
        cluster = PrivateCluster.of(settings, 1);
        cluster.start();
    }

    @AfterAll
    static void end() throws Exception {
        cluster.closeAsync().get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/overview", "/jobs", "/jars", "/config"})
    void foreignRequestsAreRejected(String path) throws Exception {
        URI address = cluster.getRestAddress().get().resolve(path);

        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(404);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "asks at another loopback address")
    void itListensAtOneLoopbackAddressOnly() throws Exception {
        URI rest = cluster.getRestAddress().get();
        int blobs = cluster.getClusterInformation().getBlobServerPort();

        assertThat(InetAddress.getByName(rest.getHost()).isLoopbackAddress()).isTrue();
        assertThat(isFreeElsewhere(rest.getPort())).isTrue();
        assertThat(isFreeElsewhere(blobs)).isTrue();
    }

    /** Whether one may still listen on the port at another address, as one may not where somebody listens at all of them. */
    private static boolean isFreeElsewhere(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.2"))) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
