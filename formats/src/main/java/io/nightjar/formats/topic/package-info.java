/**
 * Topics of messages as sources of transactions: what a reader of them must be able to do. Who speaks to a broker is another
 * jar, found when it is there.
 */
@NullMarked
package io.nightjar.formats.topic;

import org.jspecify.annotations.NullMarked;
