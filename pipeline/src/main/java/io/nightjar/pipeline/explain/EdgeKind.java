package io.nightjar.pipeline.explain;

/** Style and meaning of each type of edge. */
enum EdgeKind {
    WW("ww", "was overwritten by", "#b3261e", ""),
    WR("wr", "was read by", "#1b5fad", ""),
    RW("rw", "read a version that the other overwrote", "#a0339c", "7 4"),
    SO("so", "earlier in the same session", "#5f6368", "2 3"),
    RT("rt", "was complete before the other began", "#2e7d32", "2 3"),
    TS("ts", "earlier by timestamps", "#8a6100", "2 3"),
    OTHER("", "comes before", "#202124", "");

    final String type;
    final String meaning;
    final String colour;

    /** The value of {@code stroke-dasharray}; empty for a solid line. */
    final String dashes;

    EdgeKind(String type, String meaning, String colour, String dashes) {
        this.type = type;
        this.meaning = meaning;
        this.colour = colour;
        this.dashes = dashes;
    }

    static EdgeKind of(String type) {
        for (EdgeKind kind : values()) {
            if (kind.type.equals(type)) {
                return kind;
            }
        }
        return OTHER;
    }
}
