CREATE TABLE shop(id INT PRIMARY KEY, name VARCHAR(3) NOT NULL, code INT UNIQUE, a INT, b INT, UNIQUE KEY ab (a, b), KEY by_b (b))
CREATE TABLE sale(id INT PRIMARY KEY, shop INT, FOREIGN KEY (shop) REFERENCES shop(id))
INSERT INTO shop VALUES (1, 'a', 1, 1, 2)
INSERT INTO sale VALUES (1, 1)
INSERT INTO shop VALUES (1, 'a', 2, 1, 3)
INSERT INTO shop VALUES (2, 'a', 1, 1, 3)
INSERT INTO shop VALUES (2, 'a', 2, 1, 2)
INSERT INTO shop VALUES (2, NULL, 2, 1, 3)
UPDATE shop SET name = NULL
INSERT INTO shop VALUES (2, 'abcd', 2, 1, 3)
INSERT INTO sale VALUES (2, 7)
DELETE FROM shop
UPDATE shop SET id = 9
TRUNCATE TABLE shop
INSERT INTO sale VALUES (1, 2, 3)
SELECT no_such_function(1)
SELECT * FROM nothing
SELECT nothing FROM shop
SELECT id FROM shop x JOIN shop y
CREATE TABLE shop(id INT)
CREATE INDEX by_b ON shop(b)
DROP INDEX nothing ON shop
SELECT 1 FRO M shop
INSERT INTO shop VALUES (99999999999, 'a', 2, 1, 3)
