package io.nightjar.pipeline.infer;

import java.util.List;

/**
 * Versions of a key that would follow each other in a circle.
 *
 * @param links the circle, each one beginning with the version that the one before ends with
 * @param sources what was taken together, the one last that closed the circle and was given up for this key
 */
public record CyclicVersions(int key, List<Link> links, List<VersionSource> sources) {

    public CyclicVersions {
        links = List.copyOf(links);
        sources = List.copyOf(sources);
    }

    /**
     * One version comes before another.
     *
     * @param earlier the transaction that shows the earlier version, or writes both
     * @param later the transaction that shows the later version
     */
    public record Link(int from, int to, VersionSource source, int earlier, int later) {}
}
