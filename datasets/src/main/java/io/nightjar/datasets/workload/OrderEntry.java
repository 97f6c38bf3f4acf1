package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;
import java.util.function.LongPredicate;

/** TPC-C's five transactions; each row has the single amount that they need. */
final class OrderEntry extends Application {

    /*
     * A district's orders are in a ring of ORDERS rows, each with up to LINES lines; order number n is in position n %
     * ORDERS. The amounts: warehouse and district their earnings, next_order the number of the next order, delivered
     * the number of delivered orders, customer the balance, paid the customer's payments, stock the quantity, orders
     * the customer, lines the number of its lines, new_order whether it waits, carrier who delivered, order_line its
     * cost, line_delivered whether it was. Payments are tallied by customer, as TPC-C's history of them has no key.
     */

    private static final int ROWS_OF_A_WAREHOUSE = 100;
    private static final int DISTRICTS = 2;
    private static final int CUSTOMERS = 6;
    private static final int ITEMS = 20;
    private static final int ORDERS = 32;
    private static final int LINES = 4;
    private static final int MIN_LINES = 2;
    private static final int RESTOCK_BELOW = 10;
    private static final int RESTOCK = 91;
    private static final int NO_CUSTOMER = -1;

    private final int warehouses;
    private final int districts;
    private final int warehouse;
    private final int district;
    private final int nextOrder;
    private final int delivered;
    private final int customer;
    private final int paid;
    private final int stock;
    private final int order;
    private final int lines;
    private final int newOrder;
    private final int carrier;
    private final int line;
    private final int lineDelivered;

    OrderEntry(Workloads.Scale scale) {
        super(scale);
        this.warehouses = Math.max(1, scale.keys() / ROWS_OF_A_WAREHOUSE);
        this.districts = Math.multiplyExact(warehouses, DISTRICTS);
        this.warehouse = keys.table("warehouse", "ytd", warehouses, 0);
        this.district = keys.table("district", "ytd", districts, 0);
        this.nextOrder = keys.table("next_order", "number", districts, 1);
        this.delivered = keys.table("delivered", "number", districts, 0);
        this.customer = keys.table("customer", "balance", districts * CUSTOMERS, 0);
        this.paid = keys.table("paid", "ytd", districts * CUSTOMERS, 0);
        this.stock = keys.table("stock", "quantity", warehouses * ITEMS, 50);
        this.order = keys.table("orders", "customer", districts * ORDERS, NO_CUSTOMER);
        this.lines = keys.table("lines", "number", districts * ORDERS, 0);
        this.newOrder = keys.table("new_order", "waits", districts * ORDERS, 0);
        this.carrier = keys.table("carrier", "number", districts * ORDERS, 0);
        this.line = keys.table("order_line", "amount", districts * ORDERS * LINES, 0);
        this.lineDelivered = keys.table("line_delivered", "is_so", districts * ORDERS * LINES, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int kind = random.below(100);
        int house = scale.sample(random, warehouses);
        int position = house * DISTRICTS + random.below(DISTRICTS);
        int buyer = position * CUSTOMERS + random.below(CUSTOMERS);
        int amount = 1 + random.below(50);
        int firstItem = random.below(ITEMS);
        int lineCount = MIN_LINES + random.below(LINES - MIN_LINES + 1);
        return new Program((txn, step) -> {
            if (kind < 45) {
                newOrder(txn, step, house, position, buyer, firstItem, lineCount);
            } else if (kind < 88) {
                payment(txn, step, house, position, buyer, amount);
            } else if (kind < 92) {
                orderStatus(txn, step, position, buyer);
            } else if (kind < 96) {
                delivery(txn, step, position, amount);
            } else {
                stockLevel(txn, step, house, position);
            }
        });
    }

    // ---------------------------------------------------------------- transactions

    private void newOrder(Program txn, int step, int house, int position, int buyer, int firstItem, int lineCount) {
        int firstStock = stock + house * ITEMS;
        if (step == 0) {
            txn.read(warehouse + house).read(customer + buyer).readForUpdate(nextOrder + position);
            for (int i = 0; i < lineCount; i++) {
                txn.readForUpdate(firstStock + (firstItem + i) % ITEMS);
            }
        } else if (step == 1) {
            long number = txn.answer(2);
            int at = positionOf(position, number);
            txn.write(nextOrder + position, number + 1).write(order + at, buyer).write(lines + at, lineCount);
            txn.write(newOrder + at, 1);
            if (number > ORDERS) {
                txn.write(carrier + at, 0);
            }
            for (int i = 0; i < lineCount; i++) {
                long left = txn.answer(3 + i) - 1;
                txn.write(firstStock + (firstItem + i) % ITEMS, left < RESTOCK_BELOW ? left + RESTOCK : left);
                txn.write(line + at * LINES + i, 1 + firstItem + i);
                if (number > ORDERS) {
                    txn.write(lineDelivered + at * LINES + i, 0);
                }
            }
        }
    }

    private void payment(Program txn, int step, int house, int position, int buyer, int amount) {
        if (step == 0) {
            txn.readForUpdate(warehouse + house).readForUpdate(district + position);
            txn.readForUpdate(customer + buyer).readForUpdate(paid + buyer);
        } else if (step == 1) {
            txn.write(warehouse + house, txn.answer(0) + amount).write(district + position, txn.answer(1) + amount);
            txn.write(customer + buyer, txn.answer(2) - amount).write(paid + buyer, txn.answer(3) + amount);
            txn.tally(buyer, amount);
        }
    }

    private void orderStatus(Program txn, int step, int position, int buyer) {
        if (step == 0) {
            txn.onlyReads().read(customer + buyer).read(nextOrder + position);
        } else if (step == 1 && txn.answer(1) > 1) {
            int at = positionOf(position, txn.answer(1) - 1);
            txn.read(order + at).read(carrier + at).read(lines + at);
        } else if (step == 2 && txn.answerCount() == 5) {
            readLines(txn, line, positionOf(position, txn.answer(1) - 1), txn.answer(4));
        }
    }

    /** Delivers the order that has waited longest; detects if another courier was faster. */
    private void delivery(Program txn, int step, int position, int courier) {
        if (step == 0) {
            txn.read(delivered + position).read(nextOrder + position);
            return;
        }
        long number = txn.answer(0) + 1;
        int at = positionOf(position, number);
        if (step == 1 && number < txn.answer(1)) {
            txn.readForUpdate(newOrder + at).read(order + at).read(lines + at);
        } else if (step == 2 && txn.answerCount() == 5) {
            if (txn.answer(2) == 0 || txn.answer(3) == NO_CUSTOMER) {
                txn.rollBack();
                return;
            }
            readLines(txn, line, at, txn.answer(4));
            txn.readForUpdate(customer + (int) txn.answer(3)).readForUpdate(delivered + position);
        } else if (step == 3 && txn.answerCount() > 5) {
            int lineCount = (int) txn.answer(4);
            long total = 0;
            for (int i = 0; i < lineCount; i++) {
                txn.write(lineDelivered + at * LINES + i, 1);
                total += txn.answer(5 + i);
            }
            txn.write(newOrder + at, 0).write(carrier + at, courier);
            txn.write(customer + (int) txn.answer(3), txn.answer(5 + lineCount) + total);
            txn.write(delivered + position, txn.answer(6 + lineCount) + 1);
        }
    }

    private void stockLevel(Program txn, int step, int house, int position) {
        if (step == 0) {
            txn.onlyReads().read(nextOrder + position);
        } else if (step == 1 && txn.answer(0) > 1) {
            readLines(txn, line, positionOf(position, txn.answer(0) - 1), MIN_LINES);
        } else if (step == 2) {
            for (int i = 1; i < txn.answerCount(); i++) {
                txn.read(stock + house * ITEMS + (int) txn.answer(i) % ITEMS);
            }
        }
    }

    private static void readLines(Program txn, int table, int at, long count) {
        for (int i = 0; i < count; i++) {
            txn.read(table + at * LINES + i);
        }
    }

    private static int positionOf(int position, long number) {
        return position * ORDERS + (int) (number % ORDERS);
    }

    // ---------------------------------------------------------------- TPC-C's conditions of consistency

    @Override
    public List<Assertion> assertions() {
        int orders = districts * ORDERS;
        int customers = districts * CUSTOMERS;
        return List.of(
                Assertion.ofEach(
                        "A1",
                        "a warehouse has earned the sum of its districts' earnings",
                        warehouses,
                        (state, house) ->
                                state.amount(warehouse + house) == state.sum(district + house * DISTRICTS, DISTRICTS)),
                Assertion.ofEach(
                        "A2",
                        "a district's next number follows its last order, new or not",
                        districts,
                        this::lastOrderIsLast),
                Assertion.ofEach(
                        "A3", "the numbers of a district's new orders have no gap", districts, this::newOrdersAreDense),
                Assertion.ofEach(
                        "A4",
                        "a district has as many lines as its orders count",
                        districts,
                        (state, position) -> state.sum(lines + position * ORDERS, ORDERS)
                                == linesFrom(state, position * ORDERS, ORDERS)),
                Assertion.ofEach(
                        "A5",
                        "an order has no carrier if and only if it is new",
                        orders,
                        (state, at) -> !isOrder(state, at)
                                || state.amount(carrier + at) == 0 == (state.amount(newOrder + at) == 1)),
                Assertion.ofEach(
                        "A6",
                        "an order has as many lines as it counts",
                        orders,
                        (state, at) -> state.amount(lines + at) == linesFrom(state, at, 1)),
                Assertion.ofEach(
                        "A7", "lines are delivered if and only if their order has a carrier", orders, this::linesGo),
                Assertion.ofEach(
                        "A8",
                        "a warehouse has earned the sum of its payments",
                        warehouses,
                        (state, house) -> state.amount(warehouse + house)
                                == tally(state, house * DISTRICTS * CUSTOMERS, DISTRICTS * CUSTOMERS)),
                Assertion.ofEach(
                        "A9",
                        "a district has earned the sum of its payments",
                        districts,
                        (state, position) ->
                                state.amount(district + position) == tally(state, position * CUSTOMERS, CUSTOMERS)),
                Assertion.ofEach(
                        "A10",
                        "a customer owes the deliveries that are not paid",
                        customers,
                        (state, buyer) ->
                                state.amount(customer + buyer) == deliveredTo(state, buyer) - state.tally(buyer)),
                Assertion.ofEach(
                        "A11",
                        "a district has as many orders that are not new as were delivered",
                        districts,
                        (state, position) ->
                                state.count(order + position * ORDERS, ORDERS, buyer -> buyer != NO_CUSTOMER)
                                                - state.sum(newOrder + position * ORDERS, ORDERS)
                                        == state.amount(delivered + position)),
                Assertion.ofEach(
                        "A12",
                        "a customer's balance and payments add up to the deliveries",
                        customers,
                        (state, buyer) -> state.amount(customer + buyer) + state.amount(paid + buyer)
                                == deliveredTo(state, buyer)));
    }

    /** Returns whether the rings are not full yet, so that no order was overwritten. */
    @Override
    public boolean isJudgeable(FinalState state) {
        return state.count(nextOrder, districts, number -> number > ORDERS) == 0;
    }

    private boolean isOrder(FinalState state, int at) {
        return state.amount(order + at) != NO_CUSTOMER;
    }

    private boolean lastOrderIsLast(FinalState state, int position) {
        long last = state.amount(nextOrder + position) - 1;
        int lastNew = state.last(newOrder + position * ORDERS, ORDERS, waits -> waits == 1);
        return Math.max(0, state.last(order + position * ORDERS, ORDERS, buyer -> buyer != NO_CUSTOMER)) == last
                && (lastNew < 0 || lastNew == last);
    }

    private boolean newOrdersAreDense(FinalState state, int position) {
        int first = newOrder + position * ORDERS;
        LongPredicate waits = amount -> amount == 1;
        int last = state.last(first, ORDERS, waits);
        int min = 0;
        while (min < last && !waits.test(state.amount(first + min))) {
            min++;
        }
        return last < 0 || last - min + 1 == state.count(first, ORDERS, waits);
    }

    private long linesFrom(FinalState state, int at, int orders) {
        return state.count(line + at * LINES, orders * LINES, amount -> amount > 0);
    }

    private boolean linesGo(FinalState state, int at) {
        boolean isCarried = state.amount(carrier + at) != 0;
        for (int i = at * LINES; i < (at + 1) * LINES; i++) {
            if (state.amount(line + i) > 0 && state.amount(lineDelivered + i) == 1 != isCarried) {
                return false;
            }
        }
        return true;
    }

    private static long tally(FinalState state, int first, int count) {
        long sum = 0;
        for (int slot = first; slot < first + count; slot++) {
            sum += state.tally(slot);
        }
        return sum;
    }

    /** Returns the cost of the lines that were delivered to a customer. */
    private long deliveredTo(FinalState state, int buyer) {
        int position = buyer / CUSTOMERS;
        long sum = 0;
        for (int at = position * ORDERS; at < (position + 1) * ORDERS; at++) {
            for (int i = at * LINES; state.amount(order + at) == buyer && i < (at + 1) * LINES; i++) {
                sum += state.amount(lineDelivered + i) * state.amount(line + i);
            }
        }
        return sum;
    }
}
