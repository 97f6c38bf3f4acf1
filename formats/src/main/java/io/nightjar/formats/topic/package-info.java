/**
 * Message topics as sources of transactions: the interface of their readers. The implementation for a broker is in a
 * separate jar, loaded if present.
 */
@NullMarked
package io.nightjar.formats.topic;

import org.jspecify.annotations.NullMarked;
