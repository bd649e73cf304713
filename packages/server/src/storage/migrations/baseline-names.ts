import type { ColumnTypes } from './migration.ts';

/** The triggers that derive `name_claims` from the rows of apps. A name that is taken violates its primary key. */
export function nameClaims({ engine }: ColumnTypes): string[] {
  return engine === 'sqlite' ? claimingInSqlite() : claimingInPostgres();
}

function claimingInSqlite(): string[] {
  const claim = (key: string) =>
    `insert into name_claims (name_key, app_id) select ${key}, new.id where new.name_claim is not null and ${key} is not null
      and not exists (select 1 from name_claims where name_key = ${key} and app_id = new.id);`;
  const claims = `${claim('new.name_claim')} ${claim('new.approved_name_key')}`;
  return [
    `create trigger apps_claim_names_of_new after insert on apps begin ${claims} end`,
    `create trigger apps_claim_names after update of name_claim, approved_name_key on apps
      when new.name_claim is not old.name_claim or new.approved_name_key is not old.approved_name_key
      begin
        delete from name_claims where app_id = new.id and (new.name_claim is null
          or (name_key is not new.name_claim and name_key is not new.approved_name_key));
        ${claims}
      end`,
  ];
}

function claimingInPostgres(): string[] {
  return [
    `create function apps_claim_names() returns trigger language plpgsql as $$ begin
      delete from name_claims where app_id = new.id and (new.name_claim is null
        or (name_key is distinct from new.name_claim and name_key is distinct from new.approved_name_key));
      insert into name_claims (name_key, app_id)
        select distinct key, new.id from (values (new.name_claim), (new.approved_name_key)) as claimed (key)
        where new.name_claim is not null and key is not null
        and not exists (select 1 from name_claims where name_key = key and app_id = new.id);
      return null; end $$`,
    `create trigger apps_claim_names_of_new after insert on apps for each row
      when (new.name_claim is not null) execute function apps_claim_names()`,
    `create trigger apps_claim_names after update of name_claim, approved_name_key on apps for each row
      when (new.name_claim is distinct from old.name_claim or new.approved_name_key is distinct from old.approved_name_key)
      execute function apps_claim_names()`,
  ];
}
