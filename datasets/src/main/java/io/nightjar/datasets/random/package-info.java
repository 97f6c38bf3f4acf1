/** Random numbers that are the same on every machine and in every release of the JDK. */
package io.nightjar.datasets.random;
