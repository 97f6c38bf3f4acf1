/**
 * Random numbers that are the same on every machine and every JDK.
 *
 * <p>Whoever makes histories from a seed draws from {@link io.nightjar.datasets.random.SeededRandom}; nothing here knows
 * what is drawn for.
 */
package io.nightjar.datasets.random;
