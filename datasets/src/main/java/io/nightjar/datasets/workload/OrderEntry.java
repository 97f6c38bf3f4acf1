package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;

/** TPC-C's five transactions, each row with the one amount of it that they are about. */
final class OrderEntry implements ClientWorkload {

    /*
     * A district's orders lie in a ring of ORDERS rows, each with LINES lines; order number n is in place n % ORDERS. The
     * amounts: warehouse and district what they earned, next_order the number of the next order, delivered how many orders
     * were delivered, customer the balance, stock the quantity, orders the customer, line the item, carrier who delivered.
     */

    private static final int ROWS_OF_A_WAREHOUSE = 100;
    private static final int DISTRICTS = 4;
    private static final int CUSTOMERS = 6;
    private static final int ITEMS = 20;
    private static final int ORDERS = 8;
    private static final int LINES = 3;
    private static final int RESTOCK_BELOW = 10;
    private static final int RESTOCK = 91;

    private final Workloads.Scale scale;
    private final Keys keys = Keys.tables();
    private final int warehouses;
    private final int warehouse;
    private final int district;
    private final int nextOrder;
    private final int delivered;
    private final int customer;
    private final int stock;
    private final int order;
    private final int line;
    private final int carrier;

    OrderEntry(Workloads.Scale scale) {
        this.scale = scale;
        this.warehouses = Math.max(1, scale.keys() / ROWS_OF_A_WAREHOUSE);
        int districts = Math.multiplyExact(warehouses, DISTRICTS);
        this.warehouse = keys.table("warehouse", "ytd", warehouses, 0);
        this.district = keys.table("district", "ytd", districts, 0);
        this.nextOrder = keys.table("next_order", "number", districts, 1);
        this.delivered = keys.table("delivered", "number", districts, 0);
        this.customer = keys.table("customer", "balance", districts * CUSTOMERS, -10);
        this.stock = keys.table("stock", "quantity", warehouses * ITEMS, 50);
        this.order = keys.table("orders", "customer", districts * ORDERS, -1);
        this.line = keys.table("order_line", "item", districts * ORDERS * LINES, -1);
        this.carrier = keys.table("carrier", "number", districts * ORDERS, 0);
    }

    @Override
    public Keys keys() {
        return keys;
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int kind = random.below(100);
        int house = scale.sample(random, warehouses);
        int place = house * DISTRICTS + random.below(DISTRICTS);
        int buyer = customer + place * CUSTOMERS + random.below(CUSTOMERS);
        int amount = 1 + random.below(50);
        int firstItem = random.below(ITEMS);
        return new Program((txn, step) -> {
            if (kind < 45) {
                newOrder(txn, step, house, place, buyer, firstItem, amount);
            } else if (kind < 88) {
                payment(txn, step, warehouse + house, district + place, buyer, amount);
            } else if (kind < 92) {
                orderStatus(txn, step, place, buyer);
            } else if (kind < 96) {
                delivery(txn, step, place, amount);
            } else {
                stockLevel(txn, step, house, place);
            }
        });
    }

    private void newOrder(Program txn, int step, int house, int place, int buyer, int firstItem, int amount) {
        if (step == 0) {
            txn.read(warehouse + house).read(buyer).read(nextOrder + place);
            for (int i = 0; i < LINES; i++) {
                txn.read(stock + house * ITEMS + (firstItem + i) % ITEMS);
            }
        } else if (step == 1) {
            long number = txn.answer(2);
            txn.write(nextOrder + place, number + 1).write(orderOf(place, number), buyer - customer);
            for (int i = 0; i < LINES; i++) {
                int item = (firstItem + i) % ITEMS;
                long left = txn.answer(3 + i) - 1 - amount % 5;
                txn.write(stock + house * ITEMS + item, left < RESTOCK_BELOW ? left + RESTOCK : left);
                txn.write(lineOf(place, number) + i, item);
            }
        }
    }

    private static void payment(Program txn, int step, int house, int place, int buyer, int amount) {
        if (step == 0) {
            txn.read(house).read(place).read(buyer);
        } else if (step == 1) {
            txn.write(house, txn.answer(0) + amount).write(place, txn.answer(1) + amount);
            txn.write(buyer, txn.answer(2) - amount);
        }
    }

    private void orderStatus(Program txn, int step, int place, int buyer) {
        if (step == 0) {
            txn.read(buyer).read(nextOrder + place);
        } else if (step == 1 && txn.answer(1) > 1) {
            long latest = txn.answer(1) - 1;
            txn.read(orderOf(place, latest));
            for (int i = 0; i < LINES; i++) {
                txn.read(lineOf(place, latest) + i);
            }
        }
    }

    private void delivery(Program txn, int step, int place, int courier) {
        if (step == 0) {
            txn.read(delivered + place).read(nextOrder + place);
        } else if (step == 1 && txn.answer(0) + 1 < txn.answer(1)) {
            txn.read(orderOf(place, txn.answer(0) + 1));
        } else if (step == 2 && txn.answer(2) >= 0) {
            txn.read(customer + (int) txn.answer(2));
        } else if (step == 3) {
            long number = txn.answer(0) + 1;
            txn.write(delivered + place, number).write(carrier + orderOf(place, number) - order, courier);
            txn.write(customer + (int) txn.answer(2), txn.answer(3) + courier);
        }
    }

    private void stockLevel(Program txn, int step, int house, int place) {
        if (step == 0) {
            txn.read(nextOrder + place);
        } else if (step == 1 && txn.answer(0) > 1) {
            for (int i = 0; i < LINES; i++) {
                txn.read(lineOf(place, txn.answer(0) - 1) + i);
            }
        } else if (step == 2) {
            for (int i = 0; i < LINES; i++) {
                if (txn.answer(1 + i) >= 0) {
                    txn.read(stock + house * ITEMS + (int) txn.answer(1 + i));
                }
            }
        }
    }

    private int orderOf(int place, long number) {
        return order + place * ORDERS + (int) (number % ORDERS);
    }

    private int lineOf(int place, long number) {
        return line + (place * ORDERS + (int) (number % ORDERS)) * LINES;
    }
}
