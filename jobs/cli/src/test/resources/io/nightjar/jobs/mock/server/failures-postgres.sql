CREATE TABLE shop(id INT PRIMARY KEY, name VARCHAR(3) NOT NULL, code INT UNIQUE, price INT CHECK (price > 0), a INT, b INT, UNIQUE (a, b), CHECK (a <> b))
CREATE TABLE sale(id INT PRIMARY KEY, shop INT REFERENCES shop(id), other INT CONSTRAINT mine REFERENCES shop(id), CONSTRAINT by_shop UNIQUE (shop, other))
INSERT INTO shop VALUES (1, 'a', 1, 1, 1, 2)
INSERT INTO sale VALUES (1, 1, 1)
INSERT INTO shop VALUES (1, 'a', 2, 1)
INSERT INTO shop VALUES (2, 'a', 1, 1)
INSERT INTO shop VALUES (2, 'a', 2, 1, 1, 2)
INSERT INTO shop VALUES (2, 'a', 2, -1)
INSERT INTO shop VALUES (2, 'a', 2, 1, 2, 2)
INSERT INTO shop VALUES (2, NULL, 2, 1)
INSERT INTO shop(id) VALUES (2)
UPDATE shop SET name = NULL
UPDATE shop SET price = 0
INSERT INTO shop VALUES (2, 'abcd', 2, 1)
INSERT INTO sale VALUES (2, 7, 1)
INSERT INTO sale VALUES (2, 1, 7)
INSERT INTO sale VALUES (2, 1, 1)
DELETE FROM shop
UPDATE shop SET id = 9
SELECT * FROM nothing
SELECT nothing FROM shop
SELECT id FROM shop x JOIN shop y ON x.id = y.id
INSERT INTO shop VALUES ('x', 'y')
INSERT INTO sale VALUES (1, 2, 3, 4, 5)
INSERT INTO sale(id, id) VALUES (1, 1)
CREATE TABLE shop(id INT)
CREATE INDEX by_shop ON sale(id)
DROP TABLE shop
TRUNCATE shop
SELECT currval('nothing')
DROP INDEX nothing
CREATE TABLE nowhere.shop(id INT)
SELECT 1 / 0
SELECT 1 FRO M shop
ALTER TABLE sale DROP CONSTRAINT sale_shop_fkey
ALTER TABLE shop DROP CONSTRAINT shop_a_b_key
ALTER TABLE shop ADD UNIQUE (price)
INSERT INTO shop VALUES (2, 'a', 2, 1, 1, 2)
ALTER TABLE sale RENAME TO deal
INSERT INTO deal VALUES (1, 1, 1)
