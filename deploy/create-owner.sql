-- PostgreSQL's image runs this once, as its superuser, while the volume is empty. The server connects as the role
-- created here, which owns its database and has no rights beyond it. A database's owner may add pg_trgm, the only
-- extension that the migrations use.
do $$
begin
  execute format(
    'create role fieldroster login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
    rtrim(pg_read_file('/run/secrets/owner-password'), E'\r\n')
  );
end
$$;

alter database fieldroster owner to fieldroster;
revoke all on database fieldroster, postgres from public;
