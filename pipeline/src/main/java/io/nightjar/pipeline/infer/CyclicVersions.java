package io.nightjar.pipeline.infer;

import java.util.List;

/**
 * Cycle in the order of a key's versions.
 *
 * @param links the cycle, each link beginning with the version that the previous link ends with
 * @param sources the sources combined; the last source closed the cycle and was rejected for this key
 */
public record CyclicVersions(int key, List<Link> links, List<VersionSource> sources) {

    public CyclicVersions {
        links = List.copyOf(links);
        sources = List.copyOf(sources);
    }

    /**
     * Precedence of one version over another.
     *
     * @param earlier the transaction that shows the earlier version, or writes both
     * @param later the transaction that shows the later version
     */
    public record Link(int from, int to, VersionSource source, int earlier, int later) {}
}
