package io.nightjar.jobs.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Medians of a few measurements, and how sure one can be of their ratio. */
final class Medians {

    private static final int RESAMPLES = 10_000;
    private static final long SEED = 20_260_101;

    private Medians() {}

    /** A ratio of medians, and the interval that contains 95 of 100 resampled ratios. */
    record Ratio(double middle, double min, double max) {

        /** Returns whether the interval excludes that both are the same. */
        boolean isClear() {
            return min > 1 || max < 1;
        }
    }

    /** Returns the median of values; NaN of none. */
    static double median(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the second divided by the first, by the bootstrap: each side is drawn again with repetition. */
    static Ratio ratio(double[] first, double[] second) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] ratios = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            ratios[i] = median(resample(second, random)) / median(resample(first, random));
        }
        return ratio(first, second, ratios);
    }

    /**
     * Returns the same of runs that were measured in turn: rounds are drawn, so that a cause that slows a round down
     * for both is no difference.
     *
     * @param first by round, as the second is
     */
    static Ratio ratioInTurn(double[] first, double[] second) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] ratios = new double[RESAMPLES];
        double[] ofFirst = new double[first.length];
        double[] ofSecond = new double[first.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int j = 0; j < first.length; j++) {
                int round = random.nextInt(first.length);
                ofFirst[j] = first[round];
                ofSecond[j] = second[round];
            }
            ratios[i] = median(ofSecond) / median(ofFirst);
        }
        return ratio(first, second, ratios);
    }

    private static Ratio ratio(double[] first, double[] second, double[] ratios) {
        Arrays.sort(ratios);
        return new Ratio(
                median(second) / median(first), ratios[RESAMPLES / 40], ratios[RESAMPLES - 1 - RESAMPLES / 40]);
    }

    private static double[] resample(double[] values, SplittableRandom random) {
        double[] drawn = new double[values.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = values[random.nextInt(values.length)];
        }
        return drawn;
    }
}
