/**
 * The catalogue of small cases: every anomaly and its near misses, as files in notation with what is expected of them.
 *
 * <p>Comes before station 1: what goes in is {@code datasets/catalogue/<anomaly>/<case>.txt}, what comes out is a {@link
 * io.nightjar.datasets.golden.GoldenCase}. Must not know any checker; who checks compares.
 *
 * <p>Read {@link io.nightjar.datasets.golden.GoldenCase} first.
 */
package io.nightjar.datasets.golden;
