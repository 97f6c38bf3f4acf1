CREATE TABLE item (id SERIAL PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, price NUMERIC(10,2) DEFAULT 1.5, note TEXT, made TIMESTAMP, good BOOLEAN);
CREATE TABLE part (a INT, b BIGINT, item INT REFERENCES item (id) ON DELETE CASCADE, PRIMARY KEY (a, b));
CREATE INDEX by_item ON part (item, b);
CREATE VIEW named AS SELECT id, name FROM item;
CREATE SEQUENCE numbers;
CREATE SEQUENCE steps INCREMENT BY 5 MINVALUE 10 MAXVALUE 1000 START WITH 20 CACHE 7 CYCLE;
\d
\dt
\di
\ds
\dv
\d item
\d part
\d named
\d by_item
\d item_id_seq
\d numbers
\d steps
\dt nothing
\d nothing
\df
\dT
\dy
\des
\dRp
