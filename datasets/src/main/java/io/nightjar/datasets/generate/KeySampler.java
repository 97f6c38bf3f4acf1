package io.nightjar.datasets.generate;

import io.nightjar.datasets.random.SeededRandom;

/** Draws keys from a distribution with one multiplication or one table access per key. */
abstract class KeySampler {

    abstract int sample(SeededRandom random);

    /** Returns the probability that two draws are the same key. */
    abstract double collision();

    static KeySampler of(KeyDistribution distribution, int keys) {
        return switch (distribution) {
            case UNIFORM -> new Uniform(keys);
            case ZIPFIAN -> new Zipfian(keys);
            case HOTSPOT -> new Hotspot(keys);
        };
    }

    private static final class Uniform extends KeySampler {

        private final int keys;

        Uniform(int keys) {
            this.keys = keys;
        }

        @Override
        int sample(SeededRandom random) {
            return random.below(keys);
        }

        @Override
        double collision() {
            return 1.0 / keys;
        }
    }

    private static final class Hotspot extends KeySampler {

        private static final double HOT_KEYS = 0.2;
        private static final double HOT_OPERATIONS = 0.8;

        private final int hot;
        private final int cold;

        Hotspot(int keys) {
            this.hot = Math.max(1, (int) Math.round(keys * HOT_KEYS));
            this.cold = keys - hot;
        }

        @Override
        int sample(SeededRandom random) {
            boolean isHot = random.fraction() < HOT_OPERATIONS || cold == 0;
            return isHot ? random.below(hot) : hot + random.below(cold);
        }

        @Override
        double collision() {
            if (cold == 0) {
                return 1.0 / hot;
            }
            double coldOperations = 1 - HOT_OPERATIONS;
            return HOT_OPERATIONS * HOT_OPERATIONS / hot + coldOperations * coldOperations / cold;
        }
    }

    private static final class Zipfian extends KeySampler {

        /*
         * Layout. The probabilities are cut into columns of equal width, each shared by at most two keys:
         *
         *   column i:   keeps[i] of 2^31 units belong to key i, the rest to key aliasOf[i]
         *
         * Algorithm. A draw picks a column and then one of its two keys, so it costs the same for any number of keys.
         *
         * Invariant. StrictMath and plain double arithmetic give the same columns on every machine.
         *
         * Source. The alias method of Vose.
         */

        private static final double THETA = 0.99;
        private static final double UNITS = 0x1.0p31;

        private final int[] keeps;
        private final int[] aliasOf;
        private final double collision;

        Zipfian(int keys) {
            double[] share = new double[keys];
            double total = 0;
            for (int key = 0; key < keys; key++) {
                share[key] = 1 / StrictMath.pow(key + 1.0, THETA);
                total += share[key];
            }
            double squares = 0;
            for (int key = 0; key < keys; key++) {
                double probability = share[key] / total;
                squares += probability * probability;
                share[key] = probability * keys;
            }
            this.collision = squares;
            this.keeps = new int[keys];
            this.aliasOf = new int[keys];
            fillColumns(share);
        }

        private void fillColumns(double[] share) {
            int keys = share.length;
            int[] poor = new int[keys];
            int[] rich = new int[keys];
            int poorCount = 0;
            int richCount = 0;
            for (int key = 0; key < keys; key++) {
                if (share[key] < 1) {
                    poor[poorCount++] = key;
                } else {
                    rich[richCount++] = key;
                }
            }
            while (poorCount > 0 && richCount > 0) {
                int taker = poor[--poorCount];
                int giver = rich[richCount - 1];
                keeps[taker] = (int) Math.min(Integer.MAX_VALUE, share[taker] * UNITS);
                aliasOf[taker] = giver;
                share[giver] -= 1 - share[taker];
                if (share[giver] < 1) {
                    richCount--;
                    poor[poorCount++] = giver;
                }
            }
            // The remaining columns have weight 1 up to rounding: each belongs entirely to its own key.
            while (richCount > 0) {
                assignWholeColumn(rich[--richCount]);
            }
            while (poorCount > 0) {
                assignWholeColumn(poor[--poorCount]);
            }
        }

        private void assignWholeColumn(int key) {
            keeps[key] = Integer.MAX_VALUE;
            aliasOf[key] = key;
        }

        @Override
        int sample(SeededRandom random) {
            long bits = random.next();
            int column = SeededRandom.scale(bits, keeps.length);
            return ((int) bits & Integer.MAX_VALUE) < keeps[column] ? column : aliasOf[column];
        }

        @Override
        double collision() {
            return collision;
        }
    }
}
