/**
 * Topics of messages as sources of transactions: what a reader of them must be able to do. Who speaks to a broker is another
 * jar, found when it is there.
 */
package io.nightjar.formats.topic;
