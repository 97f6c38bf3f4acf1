/**
 * Random small histories, and how to make a failing one smaller.
 *
 * <p>Comes before station 1: what goes in is a seed, what comes out is a {@link
 * io.nightjar.datasets.random.SmallHistory}, a plain object model that converts to slices and to notation. Used where a
 * brute-force reference can still follow: tests, and the search for the smallest history that shows something. Must not
 * know any checker, nor decide anything.
 *
 * <p>Read {@link io.nightjar.datasets.random.SmallHistory} first.
 */
package io.nightjar.datasets.random;
