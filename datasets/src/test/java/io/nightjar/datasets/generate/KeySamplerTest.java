package io.nightjar.datasets.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class KeySamplerTest {

    private static final int DRAWS = 400_000;

    @Test
    void uniformDrawsEveryKeyEquallyOften() {
        double[] share = shares(KeyDistribution.UNIFORM, 50);

        for (double s : share) {
            assertThat(s).isCloseTo(1.0 / 50, Offset.offset(0.002));
        }
    }

    @Test
    void zipfianDrawsKeysInProportionToTheirRank() {
        double[] share = shares(KeyDistribution.ZIPFIAN, 1000);
        double total = 0;
        for (int key = 0; key < 1000; key++) {
            total += 1 / Math.pow(key + 1, 0.99);
        }

        for (int key = 0; key < 1000; key++) {
            assertThat(share[key]).isCloseTo(1 / Math.pow(key + 1, 0.99) / total, Offset.offset(0.002));
        }
    }

    @Test
    void hotspotDrawsFourFifthsFromOneFifthOfKeys() {
        double[] share = shares(KeyDistribution.HOTSPOT, 100);
        double hot = 0;
        for (int key = 0; key < 20; key++) {
            hot += share[key];
        }

        assertThat(hot).isCloseTo(0.8, Offset.offset(0.005));
        assertThat(share[99]).isCloseTo(0.2 / 80, Offset.offset(0.001));
    }

    @Test
    void aSingleKeyIsAlwaysDrawn() {
        for (KeyDistribution distribution : KeyDistribution.values()) {
            assertThat(shares(distribution, 1)).containsExactly(1.0);
        }
    }

    @Test
    void collisionIsTheProbabilityOfEqualDraws() {
        for (KeyDistribution distribution : KeyDistribution.values()) {
            KeySampler sampler = KeySampler.of(distribution, 40);
            SeededRandom random = new SeededRandom(9);
            int equal = 0;
            for (int draw = 0; draw < DRAWS; draw++) {
                equal += sampler.sample(random) == sampler.sample(random) ? 1 : 0;
            }

            assertThat(equal / (double) DRAWS).isCloseTo(sampler.collision(), Offset.offset(0.003));
        }
    }

    private static double[] shares(KeyDistribution distribution, int keys) {
        KeySampler sampler = KeySampler.of(distribution, keys);
        SeededRandom random = new SeededRandom(4);
        double[] share = new double[keys];
        for (int draw = 0; draw < DRAWS; draw++) {
            share[sampler.sample(random)] += 1.0 / DRAWS;
        }
        for (int key = 0; key < keys; key++) {
            share[key] = Math.round(share[key] * 1e9) / 1e9;
        }
        return share;
    }
}
