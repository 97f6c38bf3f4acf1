-- One statement a line: what the mock answers to clients of PostgreSQL is compared with what PostgreSQL does.
CREATE TABLE item (id SERIAL PRIMARY KEY, name VARCHAR(20) UNIQUE DEFAULT 'none', price NUMERIC(10,2) CHECK (price >= 0), n INT, d DATE, t TIMESTAMP, f FLOAT8, good BOOLEAN)
CREATE TABLE part (id INT PRIMARY KEY, item INT REFERENCES item (id) ON DELETE CASCADE)
INSERT INTO item (name, price, n, d, t, f, good) VALUES ('Bolt', 1.5, 3, '2024-02-29', '2024-02-29 10:11:12.5', 1.25, true), ('nut', NULL, 7, '2023-12-31', '2023-12-31 23:59:59', -2, false)
INSERT INTO item (name, n) VALUES ('it''s', 2), (E'tab\t', 5), ($$dollar's$$, NULL)
INSERT INTO part VALUES (1, 1), (2, 1), (3, NULL)
SELECT * FROM item ORDER BY id
SELECT id, name FROM item WHERE name = 'BOLT'
SELECT id FROM item WHERE name ILIKE 'b%'
SELECT id FROM item WHERE name ~ '^[A-Z]' ORDER BY id
SELECT count(*), sum(n), avg(n), min(n), max(name) FROM item
SELECT n, count(*) FROM item GROUP BY n HAVING count(*) > 0 ORDER BY n DESC
SELECT id, price FROM item ORDER BY price, id
SELECT id, price FROM item ORDER BY price DESC NULLS LAST, id
SELECT id FROM item ORDER BY id LIMIT 2 OFFSET 1
SELECT id FROM item ORDER BY id FETCH FIRST 2 ROWS ONLY
SELECT 7 / 2, 7 % 2, -7 % 3, 7 * 2 - 1, 7.0 / 2
SELECT 1 + 1 AS two, 'a' || 'b', 3 > 2, NULL IS NULL, NOT true
SELECT 'a' || 1
SELECT coalesce(price, n), nullif(n, 3) FROM item ORDER BY id
SELECT CASE n WHEN 3 THEN 'three' ELSE 'other' END FROM item ORDER BY id
SELECT upper(name), lower(name), length(name), reverse(name) FROM item ORDER BY id
SELECT length('é'), octet_length('é'), substring('hello' from 2 for 3), substr('hello', 2, 3), left('hello', 2), right('hello', 2), position('l' in 'hello')
SELECT trim('  a '), ltrim('  a'), rtrim('a  '), replace('aXa', 'X', 'b'), repeat('ab', 2), lpad('7', 3, '0'), rpad('7', 3, '0')
SELECT abs(-3), ceil(1.2), floor(1.8), round(2.5), round(2.567, 1), trunc(2.567, 1), sign(-2), power(2, 3), sqrt(9), mod(7, 3)
SELECT greatest(1, 3, 2), least(1, 3, 2), 5 BETWEEN 1 AND 9, 5 IN (1, 5), 5 NOT IN (1, 5)
SELECT extract(year from d), extract(month from d), extract(dow from d), extract(hour from t) FROM item WHERE id = 1
SELECT d + 1, d - 1, t - interval '2 hours', t - TIMESTAMP '2024-02-28 09:00:00' FROM item WHERE id = 1
SELECT date_trunc('month', t) FROM item WHERE id = 1
SELECT '12'::int, 3.7::int, '2024-01-02'::date, 1::numeric(5,2), 'x'::text, true::int
SELECT cast('12' AS integer), cast(5 AS text)
SELECT i.name, p.id FROM item i JOIN part p ON p.item = i.id ORDER BY p.id
SELECT i.name, p.id FROM item i LEFT JOIN part p ON p.item = i.id ORDER BY i.id, p.id
SELECT name FROM item WHERE EXISTS (SELECT 1 FROM part WHERE part.item = item.id)
SELECT name FROM item WHERE id IN (SELECT item FROM part)
SELECT name FROM item WHERE id = ANY (ARRAY[1, 2]) ORDER BY id
SELECT (SELECT count(*) FROM part WHERE part.item = item.id) parts FROM item ORDER BY id
SELECT name FROM item UNION SELECT 'x' ORDER BY 1
SELECT DISTINCT item FROM part ORDER BY item
SELECT string_agg(name, ',' ORDER BY id) FROM item
SELECT array_agg(id ORDER BY id) FROM part
SELECT row_number() OVER (ORDER BY id), id FROM part ORDER BY id
SELECT sum(n) FILTER (WHERE n > 3) FROM item
SELECT bool_and(good), bool_or(good) FROM item
WITH big AS (SELECT * FROM item WHERE n > 3) SELECT count(*) FROM big
WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 4) SELECT sum(i) FROM r
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(x, y) ORDER BY x
SELECT "name" FROM "item" WHERE "id" = 1
SELECT name AS "The Name" FROM item WHERE id = 1
SELECT 1 -- a comment
SELECT /* a /* nested */ comment */ 1
UPDATE item SET n = n + 1, price = 2 WHERE id = 1
UPDATE item SET n = 100 WHERE id = 999
UPDATE item SET n = p.id FROM part p WHERE p.item = item.id AND p.id = 2
SELECT n, price FROM item WHERE id = 1
UPDATE item SET n = 4 WHERE id = 1 RETURNING id, n + 1 AS next
INSERT INTO item (name) VALUES ('new') RETURNING id, name
INSERT INTO item (id, name) VALUES (1, 'dup')
INSERT INTO item (name) VALUES ('Bolt')
INSERT INTO item (id, name) VALUES (1, 'dup') ON CONFLICT DO NOTHING
INSERT INTO item (id, name, n) VALUES (1, 'x', 5) ON CONFLICT (id) DO UPDATE SET n = item.n + excluded.n
SELECT n FROM item WHERE id = 1
INSERT INTO item (price) VALUES (-1)
INSERT INTO part VALUES (9, 999)
INSERT INTO part (item) VALUES (1)
INSERT INTO item (name, n) SELECT 'copy ' || id, n FROM item WHERE id <= 2
SELECT name FROM item WHERE name LIKE 'copy%' ORDER BY name
DELETE FROM item WHERE id = 2 RETURNING name
SELECT count(*) FROM part
DELETE FROM part WHERE id > 100
SELECT * FROM nothing
SELECT nothing FROM item
SELECT 1 / 0
SELECT 'x'::int
SELEC 1
INSERT INTO item (n, d) VALUES (1, '2024-13-45')
INSERT INTO item (name) VALUES ('a name that is much longer than twenty letters')
INSERT INTO item (n) VALUES (99999999999)
SELECT n FROM item WHERE id = 1 FOR UPDATE
SELECT n FROM item WHERE id = 1 FOR SHARE
ALTER TABLE item ADD COLUMN extra INT NOT NULL DEFAULT 5
SELECT extra FROM item WHERE id = 1
ALTER TABLE item RENAME COLUMN extra TO more
ALTER TABLE item DROP COLUMN more
ALTER TABLE item ALTER COLUMN n SET DEFAULT 8
CREATE INDEX by_price ON item (price)
DROP INDEX by_price
CREATE VIEW cheap AS SELECT id, name FROM item WHERE price < 10
SELECT count(*) FROM cheap
DROP VIEW cheap
CREATE SEQUENCE numbers START 5
SELECT nextval('numbers'), currval('numbers')
SELECT setval('numbers', 20), nextval('numbers')
CREATE TABLE auto (id SERIAL PRIMARY KEY, v INT)
SELECT currval('auto_id_seq')
INSERT INTO auto (v) VALUES (1) RETURNING id
SELECT nextval('auto_id_seq'), currval('auto_id_seq'), lastval()
SELECT nextval('public.auto_id_seq'::regclass), pg_get_serial_sequence('auto', 'id'), pg_get_serial_sequence('public.auto', 'v')
SELECT setval('auto_id_seq', 40), nextval(pg_get_serial_sequence('auto', 'id'))
SELECT setval(pg_get_serial_sequence('auto', 'id'), (SELECT max(id) FROM auto), true)
INSERT INTO auto (v) VALUES (2) RETURNING id
SELECT setval('auto_id_seq', 70, false), nextval('auto_id_seq')
SELECT pg_get_serial_sequence('auto', 'nothing')
SELECT pg_get_serial_sequence('nothing', 'id')
SELECT nextval('nothing')
ALTER SEQUENCE auto_id_seq RESTART WITH 100
ALTER TABLE auto ADD COLUMN w BIGSERIAL
INSERT INTO auto (v) VALUES (3) RETURNING id, w
SELECT currval('auto_w_seq'), lastval(), pg_get_serial_sequence('auto', 'w')
CREATE TABLE auto_id (seq INT GENERATED ALWAYS AS IDENTITY (START WITH 5), v INT)
INSERT INTO auto_id (v) VALUES (1), (2) RETURNING seq
SELECT currval('auto_id_seq_seq'), currval('auto_id_seq')
ALTER TABLE auto RENAME TO self
SELECT nextval('auto_id_seq'), pg_get_serial_sequence('self', 'id')
SELECT v FROM self WHERE id = ANY('{1,100}') ORDER BY id
SELECT v FROM self WHERE v = ANY('{1,2}'::int[]) ORDER BY id
SELECT v FROM self WHERE v <> ALL('{1,2}') ORDER BY id
SELECT 'b' = ANY('{a,"b",NULL}'), 1 = ANY('{}'::int[])
SELECT '{1,2}'::int[], '{a,b c}'::text[]
SELECT v FROM self WHERE v = ANY('{1,x}')
SELECT v FROM self WHERE v = ANY('1,2')
SELECT ctid FROM self
SELECT xmin FROM self
SELECT oid FROM self
SELECT last_value FROM auto_id_seq
SELECT min(v) AS xmin FROM self ORDER BY xmin
CREATE TABLE copied AS SELECT v FROM self
CREATE TEMP TABLE passing AS SELECT v FROM self WHERE v > 1
SELECT count(*) FROM copied
BEGIN
INSERT INTO passing VALUES (9)
ROLLBACK
BEGIN
INSERT INTO passing VALUES (8)
SAVEPOINT before
INSERT INTO passing VALUES (7)
ROLLBACK TO before
COMMIT
SELECT v FROM passing ORDER BY v
BEGIN
CREATE TEMP TABLE brief (v INT) ON COMMIT DROP
INSERT INTO brief VALUES (1)
SELECT * FROM brief
COMMIT
SELECT * FROM brief
CREATE TEMP TABLE emptied (v INT) ON COMMIT DELETE ROWS
INSERT INTO emptied VALUES (1)
SELECT * FROM emptied
DROP TABLE copied, passing, emptied, self, auto_id
SELECT 0.1 + 0.2, 1e3, 10 / 4, 10 / 4.0
SELECT md5('a')
SELECT n FROM item WHERE n = '3'
SELECT to_char(DATE '2024-02-29', 'YYYY/MM')
SELECT count(DISTINCT item) FROM part
SELECT generate_series(1, 3)
SELECT NULL = NULL, NULL IS DISTINCT FROM 1
SELECT 'abc' LIKE 'a_c', 'a%c' LIKE 'a\%c'
SELECT current_date = now()::date, pg_typeof(1)
SELECT pg_catalog.upper('x'), pg_is_in_recovery(), current_setting('server_encoding')
SELECT to_regclass('nothing') IS NULL, to_regclass('item') IS NULL
SELECT name FROM item ORDER BY name COLLATE "C" LIMIT 2
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class WHERE pg_catalog.pg_class.relname = 'item'
SELECT count(*) FROM pg_class c WHERE c.relkind = 'r' AND pg_table_is_visible(c.oid) AND relname IN ('item', 'part')
SHOW transaction_read_only
INSERT INTO part VALUES (21, 1), (22, 3)
DELETE FROM part p USING item i WHERE i.id = p.item AND i.id = 3
SELECT id FROM part ORDER BY id
TRUNCATE part
DROP TABLE part, item
CREATE TABLE tree(id SERIAL PRIMARY KEY, up INT REFERENCES tree(id))
CREATE TABLE leaf(tree INT REFERENCES tree(id), n INT)
CREATE TABLE bug(leaf INT, tree INT REFERENCES tree(id))
INSERT INTO tree(up) VALUES (NULL), (1), (2)
INSERT INTO leaf VALUES (1, 1), (2, 2)
INSERT INTO bug VALUES (1, 3)
TRUNCATE tree
TRUNCATE tree, leaf
TRUNCATE tree, leaf RESTRICT
TRUNCATE tree CASCADE NOW
SELECT count(*) FROM tree
BEGIN
TRUNCATE tree, leaf, bug
SELECT (SELECT count(*) FROM tree), (SELECT count(*) FROM leaf), (SELECT count(*) FROM bug)
ROLLBACK
SELECT (SELECT count(*) FROM tree), (SELECT count(*) FROM leaf), (SELECT count(*) FROM bug)
TRUNCATE ONLY leaf, bug RESTART IDENTITY
INSERT INTO leaf VALUES (3, 1)
TRUNCATE TABLE tree RESTART IDENTITY CASCADE
SELECT (SELECT count(*) FROM tree), (SELECT count(*) FROM leaf), (SELECT count(*) FROM bug)
INSERT INTO tree(up) VALUES (NULL) RETURNING id
INSERT INTO leaf VALUES (1, 1)
TRUNCATE TABLE tree RESTART IDENTITY CASCADE
SELECT (SELECT count(*) FROM tree), (SELECT count(*) FROM leaf), (SELECT count(*) FROM bug)
TRUNCATE tree CONTINUE IDENTITY CASCADE
INSERT INTO tree(up) VALUES (NULL) RETURNING id
SHOW search_path
SET search_path = shed, public
CREATE SCHEMA shed
CREATE TABLE tool(id INT)
INSERT INTO tool VALUES (4)
SELECT * FROM shed.tool
SELECT * FROM tool
SELECT id FROM tree
SELECT current_schema()
RESET search_path
SELECT * FROM tool
SELECT current_schema()
DROP TABLE shed.tool
BEGIN
SET LOCAL search_path = public
SET LOCAL search_path = shed
SHOW search_path
SELECT current_schema()
COMMIT
SHOW search_path
DROP SCHEMA shed
BEGIN READ ONLY
SHOW transaction_read_only
SELECT count(*) FROM leaf
INSERT INTO leaf VALUES (NULL, 1)
ROLLBACK
BEGIN
SET TRANSACTION READ ONLY
SELECT * FROM leaf FOR UPDATE
ROLLBACK
SHOW transaction_read_only
SET default_transaction_read_only = on
DELETE FROM leaf
SHOW transaction_read_only
BEGIN READ WRITE
INSERT INTO leaf VALUES (NULL, 1)
COMMIT
RESET default_transaction_read_only
SELECT n FROM leaf
BEGIN ISOLATION LEVEL REPEATABLE READ
SHOW transaction_isolation
COMMIT
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE
SHOW TRANSACTION ISOLATION LEVEL
SET TIME ZONE 'Asia/Tokyo'
SHOW TIME ZONE
BEGIN
SET LOCAL timezone = 'UTC'
SHOW timezone
ROLLBACK
SHOW timezone
SET application_name TO 'here'
DISCARD ALL
SHOW application_name
SELECT current_setting('transaction_read_only')
TRUNCATE bug, leaf, tree
DROP TABLE bug, leaf, tree
CREATE SEQUENCE Mixed_Seq
SELECT nextval('Mixed_SEQ')
SELECT nextval('public.MIXED_seq'), currval('mixed_seq')
CREATE SEQUENCE mixed_seq
DROP SEQUENCE mixed_seq
CREATE TABLE looked (id INT PRIMARY KEY, name TEXT, n INT)
CREATE INDEX ON looked(lower(name))
CREATE INDEX looked_part ON looked(n) WHERE n > 1
CREATE INDEX looked_hash ON looked USING hash (name)
CREATE INDEX looked_sorted ON looked (name text_pattern_ops, n DESC NULLS LAST)
INSERT INTO looked VALUES (1, 'A', 1), (2, 'b', 2), (3, 'C', 3)
SELECT id FROM looked WHERE lower(name) = 'a' LIMIT ALL
SELECT id FROM looked WHERE n > 1 ORDER BY id LIMIT ALL OFFSET 1
VACUUM looked
DROP INDEX looked_part
DROP TABLE looked
SELECT split_part('a,b,c', ',', 2), split_part('a,b,c', ',', -1) AS last, split_part('a,b', ',', 9) AS none, split_part('a', '', 1) AS whole
SELECT split_part('a', ',', 0)
SELECT starts_with('abc', 'ab')
SELECT pg_try_advisory_lock(7), pg_try_advisory_lock(7, 7) AS pair, pg_advisory_unlock(7) AS given, pg_advisory_unlock(7) AS again
SELECT pg_advisory_lock(3)
SELECT pg_advisory_unlock_all()
SELECT pg_advisory_unlock(3)
SET ROLE NONE
RESET ROLE
SET SESSION AUTHORIZATION DEFAULT
SELECT current_catalog = current_database() AS same
SELECT count(*) FROM pg_get_keywords() WHERE catcode = 'R'
SELECT word, catdesc FROM pg_get_keywords() WHERE word <> ALL ('{offset,x}'::text[]) AND word LIKE 'o%t' ORDER BY word
SELECT name, setting FROM pg_settings WHERE name IN ('max_index_keys', 'max_identifier_length') ORDER BY name
SELECT count(*) AS n FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'
SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'public' UNION ALL SELECT 1 FROM pg_proc WHERE false) AS there
CREATE SCHEMA apart
SELECT set_config('search_path', 'apart', false), set_config('my.mark', 'x', false) AS mark
CREATE TABLE alone (id SERIAL PRIMARY KEY, name TEXT)
INSERT INTO alone(name) VALUES (md5('a')) RETURNING id
SELECT nextval('alone_id_seq'), split_part('a,b', ',', 2) AS part, current_setting('my.mark') AS mark
SELECT table_schema FROM information_schema.tables WHERE table_name = 'alone'
DROP TABLE alone
SET search_path = public
BEGIN
SELECT set_config('my.mark', 'y', true)
SELECT current_setting('my.mark')
COMMIT
SHOW my.mark
DROP SCHEMA apart
CREATE TABLE short (id INT, name TEXT)
ALTER TABLE short ADD PRIMARY KEY (id), ADD COLUMN z INT NOT NULL DEFAULT 5, ADD CONSTRAINT zc CHECK (z > 0)
INSERT INTO short SELECT x, 'n' || x FROM generate_series(1, 3) x
INSERT INTO short SELECT 7
INSERT INTO short SELECT 8, 'a', 1, 2
ALTER TABLE ONLY short ALTER COLUMN z DROP NOT NULL, ALTER COLUMN z SET DEFAULT 7
ALTER TABLE short ALTER COLUMN z TYPE BIGINT USING z::bigint
INSERT INTO short VALUES (9)
SELECT * FROM short ORDER BY id
DROP TABLE short
