package io.nightjar.jobs.watch;

/**
 * Number of lines and transactions consumed from a connection or a request.
 *
 * @param lines up to the last consumed transaction
 * @param txns consumed transactions, including repeated ones
 */
record ConsumedCount(long lines, long txns) {

    ConsumedCount and(ConsumedCount more) {
        return new ConsumedCount(Math.max(lines, more.lines), txns + more.txns);
    }
}
