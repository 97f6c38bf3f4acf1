-- One statement a line: what the mock answers to clients of MySQL is compared with what MariaDB does.
CREATE TABLE item (id INT NOT NULL AUTO_INCREMENT, name VARCHAR(20) DEFAULT 'none', price DECIMAL(10,2), n INT, d DATE, t DATETIME, f DOUBLE, PRIMARY KEY (id), UNIQUE KEY by_name (name)) ENGINE=InnoDB
CREATE TABLE part (id INT PRIMARY KEY, item INT, KEY (item), CONSTRAINT of_item FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE)
INSERT INTO item (name, price, n, d, t, f) VALUES ('Bolt', 1.5, 3, '2024-02-29', '2024-02-29 10:11:12', 1.25), ('nut', NULL, 7, '2023-12-31', '2023-12-31 23:59:59', -2)
INSERT INTO item (name, n) VALUES ('it\'s', 2), ("dq \"x\"", 5)
INSERT INTO item VALUES (0, 'zero', 0, 0, NULL, NULL, 0)
INSERT INTO item SET name = 'set', n = 9
INSERT INTO part VALUES (1, 1), (2, 1), (3, NULL)
SELECT * FROM item ORDER BY id
SELECT id, Name FROM item WHERE name = 'BOLT'
SELECT id FROM item WHERE name LIKE 'b%'
SELECT COUNT(*), SUM(n), AVG(n), MIN(n), MAX(name) FROM item
SELECT n, COUNT(*) c FROM item GROUP BY n HAVING c > 0 ORDER BY n DESC
SELECT id, price FROM item ORDER BY price, id
SELECT id, price FROM item ORDER BY price DESC, id
SELECT id FROM item ORDER BY id LIMIT 2, 2
SELECT id FROM item ORDER BY id LIMIT 2 OFFSET 1
SELECT 7 / 2, 7 % 2, -7 MOD 3, 7 * 2 - 1
SELECT 1 + 1 AS two, 'a' 'b', 3 > 2, 3 = 2, NULL IS NULL, 1 <=> NULL, NOT 1, !0
SELECT 1 || 0, 1 && 0, TRUE, FALSE
SELECT IF(n > 3, 'many', 'few') FROM item ORDER BY id
SELECT IFNULL(price, -1), COALESCE(price, n), NULLIF(n, 3) FROM item ORDER BY id
SELECT CASE n WHEN 3 THEN 'three' ELSE 'other' END FROM item ORDER BY id
SELECT CONCAT(name, '-', n), UPPER(name), LOWER(name), LENGTH(name), CHAR_LENGTH(name), REVERSE(name) FROM item ORDER BY id
SELECT LENGTH('é'), CHAR_LENGTH('é'), SUBSTRING('hello', 2, 3), LEFT('hello', 2), RIGHT('hello', 2), LOCATE('l', 'hello'), INSTR('hello', 'l')
SELECT TRIM('  a '), LTRIM('  a'), RTRIM('a  '), REPLACE('aXa', 'X', 'b'), REPEAT('ab', 2), LPAD('7', 3, '0'), RPAD('7', 3, '0')
SELECT ABS(-3), CEIL(1.2), FLOOR(1.8), ROUND(2.5), ROUND(2.567, 1), TRUNCATE(2.567, 1), SIGN(-2), POWER(2, 3), SQRT(9), MOD(7, 3)
SELECT GREATEST(1, 3, 2), LEAST(1, 3, 2), 5 BETWEEN 1 AND 9, 5 IN (1, 5), 5 NOT IN (1, 5)
SELECT YEAR(d), MONTH(d), DAY(d), DAYOFWEEK(d), HOUR(t), MINUTE(t), SECOND(t) FROM item WHERE id = 1
SELECT DATE_ADD('2024-02-28', INTERVAL 2 DAY) = '2024-03-01', DATE_SUB(d, INTERVAL 1 MONTH), DATE(t) FROM item WHERE id = 1
SELECT d + INTERVAL 1 DAY FROM item WHERE id = 1
SELECT DATEDIFF('2024-03-01', '2024-02-28')
SELECT CAST('12' AS SIGNED), CAST(3.7 AS CHAR), CAST('2024-01-02' AS DATE), CAST(1 AS DECIMAL(5,2))
SELECT i.name, p.id FROM item i JOIN part p ON p.item = i.id ORDER BY p.id
SELECT i.name, p.id FROM item i LEFT JOIN part p ON p.item = i.id ORDER BY i.id, p.id
SELECT name FROM item WHERE EXISTS (SELECT 1 FROM part WHERE part.item = item.id)
SELECT name FROM item WHERE id IN (SELECT item FROM part)
SELECT (SELECT COUNT(*) FROM part WHERE part.item = item.id) parts FROM item ORDER BY id
SELECT name FROM item UNION SELECT 'x' ORDER BY 1
SELECT DISTINCT item FROM part ORDER BY item
SELECT GROUP_CONCAT(id ORDER BY id DESC SEPARATOR '/') FROM part
SELECT ROW_NUMBER() OVER (ORDER BY id) r, id FROM part ORDER BY id
WITH big AS (SELECT * FROM item WHERE n > 3) SELECT COUNT(*) FROM big
SELECT `name` FROM `item` WHERE `id` = 1
SELECT item.* FROM item WHERE id = 2
SELECT name AS `The Name`, id AS 'Number' FROM item WHERE id = 1
SELECT 1 -- a comment
SELECT 1 # a comment
UPDATE item SET n = n + 1, price = 2 WHERE id = 1
UPDATE item SET n = 100 WHERE id = 999
SELECT n, price FROM item WHERE id = 1
INSERT INTO item (id, name, n) VALUES (1, 'dup', 1)
INSERT INTO item (name) VALUES ('BOLT')
INSERT IGNORE INTO item (id, name) VALUES (1, 'dup')
INSERT INTO item (id, name, n) VALUES (1, 'x', 5) ON DUPLICATE KEY UPDATE n = n + VALUES(n)
SELECT n FROM item WHERE id = 1
REPLACE INTO part VALUES (3, 2), (4, 2)
SELECT * FROM part ORDER BY id
INSERT INTO part VALUES (9, 999)
INSERT INTO item (name, n) SELECT CONCAT('copy ', id), n FROM item WHERE id <= 2
SELECT name FROM item WHERE name LIKE 'copy%' ORDER BY name
SELECT name FROM item WHERE name LIKE 'it\'s'
SELECT 'a\\b', 'tab\t', 'percent\%', LENGTH('\n')
DELETE FROM item WHERE id = 2
SELECT COUNT(*) FROM part
DELETE FROM part WHERE id > 100
DELETE FROM part ORDER BY id LIMIT 1
SELECT * FROM nothing
SELECT nothing FROM item
INSERT INTO item (nothing) VALUES (1)
SELECT MAX(n) FROM item FOR UPDATE
SELECT n FROM item WHERE id = 1 LOCK IN SHARE MODE
ALTER TABLE item ADD COLUMN extra INT NOT NULL DEFAULT 5 AFTER n, ADD INDEX by_n (n)
SELECT extra FROM item WHERE id = 1
ALTER TABLE item DROP COLUMN extra
ALTER TABLE item DROP INDEX by_n
ALTER TABLE item MODIFY name VARCHAR(40)
CREATE INDEX by_price ON item (price)
DROP INDEX by_price ON item
SHOW TABLES
CREATE VIEW cheap AS SELECT id, name FROM item WHERE price < 10
SELECT COUNT(*) FROM cheap
DROP VIEW cheap
SET @x = 5
SELECT @x, @x + 1
INSERT INTO item (n, d) VALUES (1, '2024-13-45')
INSERT INTO item (name) VALUES ('a name that is much longer than forty letters, and then some')
SELECT 0.1 + 0.2, 1e3, 10 / 4, 1.0 * 3
SELECT 5 DIV 2
SELECT '5' + 3
SELECT MD5('a')
SELECT STRCMP('a', 'b'), ASCII('a'), HEX(255)
SELECT DATE_FORMAT('2024-02-29', '%Y/%m'), DATE_FORMAT(t, '%d.%m.%y %H:%i:%s %p %h %l %k'), DATE_FORMAT(d, '%a %W %b %M %c %e %D %j %w %%') FROM item WHERE id = 1
SELECT DATE_FORMAT('no date', '%Y'), DATE_FORMAT(NULL, '%Y'), TIME_FORMAT('10:05:09', '%H-%i-%s')
SELECT WEEK('2024-02-29')
SELECT DAYNAME('2024-02-29'), MONTHNAME('2024-02-29'), DAYOFYEAR('2024-02-29'), DAYOFMONTH('2024-02-29'), QUARTER('2024-02-29'), LAST_DAY('2024-02-01')
SELECT MICROSECOND('10:00:00.000123')
SELECT TIMESTAMPDIFF(MONTH, '2024-01-31', '2024-02-29'), TIMESTAMPDIFF(HOUR, '2024-01-01 10:59:00', '2024-01-01 11:01:00'), TIMESTAMPDIFF(DAY, '2024-03-01', '2024-02-28'), TIMESTAMPDIFF(YEAR, d, '2025-02-28') FROM item WHERE id = 1
SELECT TIMESTAMPADD(DAY, 1, '2024-02-28') = '2024-02-29', ADDDATE('2024-02-28', 2) = '2024-03-01', SUBDATE('2024-03-01', INTERVAL 1 DAY) = '2024-02-29'
SELECT STR_TO_DATE('29.02.2024', '%d.%m.%Y'), STR_TO_DATE('2024-02-29 10:11:12', '%Y-%m-%d %H:%i:%s'), STR_TO_DATE('May 1, 2013', '%M %d, %Y'), STR_TO_DATE('31.13.2024', '%d.%m.%Y'), STR_TO_DATE('09:30 PM', '%h:%i %p')
SELECT UNIX_TIMESTAMP('2024-02-29 10:11:12') - UNIX_TIMESTAMP('2024-02-29 10:11:00'), FROM_UNIXTIME(0) < NOW(), UNIX_TIMESTAMP() > 1000000
SELECT TIME('2024-02-29 10:11:12'), TIMESTAMP('2024-02-29'), EXTRACT(YEAR FROM '2024-02-29'), UTC_DATE() <= CURDATE() + INTERVAL 2 DAY, CURTIME() IS NOT NULL, NOW(3) IS NOT NULL, SYSDATE() >= NOW()
SELECT FIELD('b', 'a', 'B'), FIELD('x', 'a'), FIELD(2, 1, 2), FIND_IN_SET('b', 'a,b'), FIND_IN_SET('x', ''), ELT(2, 'a', 'b'), ELT(3, 'a'), FORMAT(1234567.891, 2), FORMAT(12, 0), SUBSTRING_INDEX('a.b.c', '.', 2), SUBSTRING_INDEX('a.b.c', '.', -2), SUBSTRING_INDEX('a.b', '.', 5)
SELECT MID('hello', 2, 3), SUBSTR('hello', -3), LCASE('A'), UCASE('a'), POW(2, 3), CEILING(1.1), CONCAT_WS('-', 'a', NULL, 'b'), CONCAT('a', NULL), SPACE(2), INSERT('hello', 2, 2, 'XY'), CHAR_LENGTH('é'), CHARACTER_LENGTH('é')
SELECT HEX('ab'), ORD('a')
SELECT GREATEST(1, NULL), IFNULL(NULL, 'x'), LOG(1), LN(1), LOG2(8), LOG10(100), EXP(0), PI() > 3, DEGREES(0), RAND() < 1, LOG(2, 8), NULLIF(1, 1), COALESCE(NULL, 2)
SELECT JSON_EXTRACT('{"a": 5, "b": [1, 2]}', '$.a'), JSON_EXTRACT('{"a": 5, "b": [1, 2]}', '$.b[1]'), JSON_UNQUOTE(JSON_EXTRACT('{"a": "x"}', '$.a')), JSON_EXTRACT('{"a": 5}', '$.x'), JSON_EXTRACT('{"a": "x"}', '$.a') = 'x', JSON_EXTRACT('{"a": 5}', '$.a') + 1, JSON_EXTRACT('{"a": 5}', '$.a') > 4
CREATE TABLE doc (id INT PRIMARY KEY, data JSON)
INSERT INTO doc VALUES (1, '{"n": 5, "s": "x", "t": ["a", "b"]}'), (2, '{"n": 7}')
SELECT id, JSON_UNQUOTE(JSON_EXTRACT(data, '$.s')) FROM doc WHERE JSON_EXTRACT(data, '$.n') >= 5 ORDER BY id
UPDATE doc SET data = '{"n": 8}' WHERE id = 2
SELECT JSON_VALUE(data, '$.n') FROM doc ORDER BY id
SELECT JSON_SEARCH('["a"]', 'one', 'a')
DROP TABLE doc
CREATE TABLE counter (id INT NOT NULL)
INSERT INTO counter VALUES (7)
UPDATE counter SET id = LAST_INSERT_ID(id + 1)
SELECT LAST_INSERT_ID()
CREATE TABLE week (format INT PRIMARY KEY, field INT, KEY field (field))
INSERT INTO week(format, field) VALUES (1, 2)
INSERT INTO week(format, field) VALUES (1, 3) ON DUPLICATE KEY UPDATE field = VALUES(field), format = format
SELECT week.field, format FROM week WHERE format = 1
DROP TABLE week, counter
BEGIN
CREATE TEMPORARY TABLE passing (v INT)
INSERT INTO passing VALUES (1), (2)
DELETE FROM part WHERE id = 2
ROLLBACK
SELECT id FROM part WHERE id = 2
BEGIN
INSERT INTO passing VALUES (3)
ROLLBACK
DROP TEMPORARY TABLE passing
SELECT CAST('10:11:12' AS TIME), CAST('2024-02-29 10:11:12' AS DATETIME), CAST('abc' AS CHAR(2)), CONVERT('12', SIGNED), CAST(2.5 AS UNSIGNED)
SELECT GROUP_CONCAT(DISTINCT item ORDER BY item), GROUP_CONCAT(item, '-', id ORDER BY id SEPARATOR ';') FROM part WHERE id = 2
SELECT SLEEP(0)
SELECT 'a' < 'b', 'a' 'b' AS c, CONVERT(name USING utf8mb4) FROM item WHERE id = 1
SELECT BIT_COUNT(7)
SELECT n FROM item WHERE n = '3'
SELECT COUNT(DISTINCT item) FROM part
TRUNCATE TABLE part
INSERT INTO item () VALUES ()
SELECT LAST_INSERT_ID() > 0
SELECT ISNULL(NULL), ISNULL(1)
DROP TABLE part, item
SELECT 'a' = 'A', 'a' <> 'B', 'b' > 'A', 'a' <=> 'A', 'a' IN ('B', 'A'), 'a' NOT IN ('A'), 'ab' LIKE 'A%', 'ab' NOT LIKE 'A%', 'b' BETWEEN 'A' AND 'C'
SELECT CASE 'a' WHEN 'A' THEN 1 ELSE 0 END, 'ab' REGEXP '^A', 5 = '5', '5' = 5
CREATE TABLE word(id INT PRIMARY KEY, plain VARCHAR(20), exact VARCHAR(20) COLLATE utf8mb4_bin, bytes VARBINARY(20))
INSERT INTO word VALUES (1, 'Apple', 'Apple', 'Apple'), (2, 'APPLE', 'APPLE', 'APPLE'), (3, 'pear', 'pear', 'pear')
SELECT id FROM word WHERE plain = 'apple' ORDER BY id
SELECT id FROM word WHERE exact = 'apple' ORDER BY id
SELECT id FROM word WHERE UPPER(plain) = 'apple' ORDER BY id
SELECT id FROM word WHERE 'a' = LEFT(plain, 1) ORDER BY id
SELECT id FROM word WHERE SUBSTRING(exact, 1, 1) = 'a' ORDER BY id
SELECT id FROM word WHERE SUBSTRING(exact, 1, 1) = 'A' ORDER BY id
SELECT id FROM word WHERE CONCAT(plain, '!') = 'APPLE!' ORDER BY id
SELECT id FROM word WHERE CONCAT(exact, '!') = 'APPLE!' ORDER BY id
SELECT id FROM word WHERE TRIM(plain) IN ('PEAR', 'x') ORDER BY id
SELECT id FROM word WHERE REPLACE(plain, 'p', 'b') = 'ABBLE' ORDER BY id
SELECT id FROM word WHERE CAST(plain AS CHAR) = 'apple' ORDER BY id
SELECT id FROM word WHERE UPPER(plain) LIKE 'a%' ORDER BY id
SELECT id FROM word WHERE UPPER(plain) = LOWER(plain) ORDER BY id
SELECT id FROM word WHERE COALESCE(plain, '') = 'PEAR' ORDER BY id
SELECT COUNT(DISTINCT LEFT(plain, 1)), COUNT(DISTINCT LEFT(exact, 1)) FROM word
SELECT COUNT(*) FROM word GROUP BY LEFT(plain, 3) ORDER BY 1
SELECT LOCATE('L', plain), INSTR(plain, 'l'), LOCATE('P', plain, 3), LOCATE('L', exact) FROM word ORDER BY id
SELECT REPLACE(plain, 'p', '-'), STRCMP('a', 'A'), FIELD('b', 'A', 'B'), FIND_IN_SET('b', 'A,B') FROM word WHERE id = 1
SELECT GROUP_CONCAT(plain ORDER BY id) = 'APPLE,APPLE,PEAR' FROM word
SELECT HEX(LEFT(bytes, 2)) FROM word ORDER BY id
SELECT id FROM word WHERE bytes = 'apple'
SET @who = 'APPLE'
SELECT id FROM word WHERE plain = @who ORDER BY id
SELECT @who = 'apple'
START TRANSACTION READ ONLY
SELECT COUNT(*) FROM word
DELETE FROM word
ROLLBACK
DROP TABLE word
CREATE TABLE up(id INT PRIMARY KEY)
CREATE TABLE down(id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES up(id))
INSERT INTO down VALUES (1, 7)
SET foreign_key_checks = 0
INSERT INTO down VALUES (1, 7)
TRUNCATE TABLE up
INSERT INTO up VALUES (8)
DELETE FROM up
SET foreign_key_checks = 1
INSERT INTO down VALUES (2, 7)
SELECT * FROM down
DROP TABLE down, up
SELECT GET_LOCK('a', 1) AS a, GET_LOCK('a', 0) AS again, IS_FREE_LOCK('b') AS b
SELECT RELEASE_LOCK('a') AS once, RELEASE_LOCK('a') AS twice, RELEASE_LOCK('a') AS thrice
SELECT COUNT(*) AS n FROM information_schema.events WHERE event_schema = 'test'
SELECT COUNT(*) AS n FROM information_schema.triggers WHERE event_object_schema = 'test'
SET @before = @@sql_mode
SET sql_mode = CONCAT('ANSI_QUOTES', '')
SELECT @@sql_mode LIKE '%CONCAT%' AS called
SET sql_mode = @before
