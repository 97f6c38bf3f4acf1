package io.nightjar.datasets.generate;

import io.nightjar.datasets.random.SeededRandom;
import java.util.function.ToIntFunction;

/** The distribution of operations over keys. Where keys differ, lower keys are hotter. */
public enum KeyDistribution {
    UNIFORM("uniform"),
    /** Key k is chosen in proportion to 1 / (k + 1)^0.99. */
    ZIPFIAN("zipfian"),
    /** 80 % of operations on 20 % of keys. */
    HOTSPOT("hotspot");

    private final String word;

    KeyDistribution(String word) {
        this.word = word;
    }

    /** Returns the word on the command line. */
    public String word() {
        return word;
    }

    /** Draws keys from 0 to {@code keys - 1}. */
    public ToIntFunction<SeededRandom> sampler(int keys) {
        return KeySampler.of(this, keys)::sample;
    }

    /** Returns the distribution with this word; an {@code IllegalArgumentException} lists the words. */
    public static KeyDistribution byName(String name) {
        return EnumLookup.find(values(), KeyDistribution::word, "distribution", name);
    }
}
