-- # Checks the rows that 0008 did not look at

alter table instructions validate constraint instructions_source_check;
