package io.nightjar.jobs.flink;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.blob.TransientBlobService;
import org.apache.flink.runtime.dispatcher.DispatcherGateway;
import org.apache.flink.runtime.dispatcher.SessionDispatcherFactory;
import org.apache.flink.runtime.dispatcher.runner.DefaultDispatcherRunnerFactory;
import org.apache.flink.runtime.entrypoint.component.DefaultDispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.entrypoint.component.DispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.leaderelection.LeaderElection;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.resourcemanager.ResourceManagerGateway;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;
import org.apache.flink.runtime.rest.RestEndpointFactory;
import org.apache.flink.runtime.rest.handler.RestHandlerConfiguration;
import org.apache.flink.runtime.rest.handler.RestHandlerSpecification;
import org.apache.flink.runtime.rest.handler.legacy.metrics.MetricFetcher;
import org.apache.flink.runtime.rpc.FatalErrorHandler;
import org.apache.flink.runtime.rpc.pekko.PekkoRpcSystem;
import org.apache.flink.runtime.webmonitor.WebMonitorEndpoint;
import org.apache.flink.runtime.webmonitor.retriever.LeaderGatewayRetriever;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandler;
import org.apache.flink.util.Reference;

/**
 * Flink's cluster for a single process, closed to other processes: it listens on the loopback interface only, and
 * serves no REST requests. Flink's own accepts jobs from any client that reaches the machine.
 */
@SuppressWarnings("try") // close() throws InterruptedException
final class PrivateCluster extends MiniCluster {

    private PrivateCluster(MiniClusterConfiguration settings) {
        super(settings, () -> Reference.owned(new PekkoRpcSystem()));
    }

    /** Returns a cluster with one TaskManager, not started yet. */
    static PrivateCluster of(Configuration settings, int slots) {
        Configuration config = new Configuration(settings);
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        config.set(RestOptions.PORT, 0);
        config.set(RestOptions.BIND_ADDRESS, loopback);
        config.set(JobManagerOptions.BIND_HOST, loopback);
        config.set(BlobServerOptions.OFFLOAD_MINSIZE, Integer.MAX_VALUE); // tasks do not fetch blobs from this server
        return new PrivateCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(config)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
    }

    @Override
    protected DispatcherResourceManagerComponentFactory createDispatcherResourceManagerComponentFactory() {
        RestEndpointFactory<DispatcherGateway> endpoints = SilentEndpoint::new;
        return new DefaultDispatcherResourceManagerComponentFactory(
                DefaultDispatcherRunnerFactory.createSessionRunner(SessionDispatcherFactory.INSTANCE),
                StandaloneResourceManagerFactory.getInstance(),
                endpoints);
    }

    /** Endpoint that serves no requests; Flink requires one to exist. */
    private static final class SilentEndpoint extends WebMonitorEndpoint<DispatcherGateway> {

        SilentEndpoint(
                Configuration configuration,
                LeaderGatewayRetriever<DispatcherGateway> dispatcher,
                LeaderGatewayRetriever<ResourceManagerGateway> resourceManager,
                TransientBlobService blobs,
                ScheduledExecutorService executor,
                MetricFetcher metrics,
                LeaderElection leaderElection,
                FatalErrorHandler fatalErrors)
                throws Exception {
            super(
                    dispatcher,
                    configuration,
                    RestHandlerConfiguration.fromConfiguration(configuration),
                    resourceManager,
                    blobs,
                    executor,
                    metrics,
                    leaderElection,
                    RestEndpointFactory.createExecutionGraphCache(
                            RestHandlerConfiguration.fromConfiguration(configuration)),
                    fatalErrors);
        }

        @Override
        protected List<Tuple2<RestHandlerSpecification, ChannelInboundHandler>> initializeHandlers(
                CompletableFuture<String> localAddress) {
            return new ArrayList<>();
        }
    }
}
