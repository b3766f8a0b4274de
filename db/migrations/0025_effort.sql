-- How much the model of a job may think; null: as the project and the settings say.
alter table jobs add column effort text;
