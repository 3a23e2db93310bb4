import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listChildren, signalProcess } from '../../packages/server/test/child-processes.ts';
import { BackgroundProgram } from './background-program.ts';
import type { PatroniPrograms } from './patroni-programs.ts';

export interface ClusterSettings {
  readonly folder: string;
  readonly etcdPort: number;
  readonly synchronous: boolean;
  readonly ttlSeconds: number;
}

export interface MemberAddress {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

const restTimeoutMs = 2_000;
const replicationLogin = { username: 'replicator', password: 'replicator' };

/** One PostgreSQL server and the Patroni beside it. */
export class PatroniMember {
  readonly name: string;
  readonly port: number;
  readonly configurationFile: string;
  readonly #restPort: number;
  readonly #dataFolder: string;
  readonly #folder: string;
  readonly #programs: PatroniPrograms;
  #patroni: BackgroundProgram | undefined;

  constructor(programs: PatroniPrograms, settings: ClusterSettings, address: MemberAddress) {
    this.name = address.name;
    this.port = address.port;
    this.#restPort = address.restPort;
    this.#programs = programs;
    this.#folder = settings.folder;
    this.#dataFolder = join(settings.folder, this.name);
    this.configurationFile = join(settings.folder, `${this.name}.json`);
    const configuration = JSON.stringify(this.#configure(settings));
    writeFileSync(this.configurationFile, configuration, { mode: 0o600 });
    chownSync(this.configurationFile, programs.user.uid, programs.user.gid);
  }

  /** The end of Patroni's log. */
  get output(): string {
    return this.#patroni?.output ?? '';
  }

  start(): void {
    this.#patroni = new BackgroundProgram('patroni', {
      ...this.#programs,
      cwd: this.#folder,
      arguments: [this.configurationFile],
    });
  }

  /** Kills Patroni and all processes of PostgreSQL, like a power cut of its machine. */
  async kill(): Promise<void> {
    const postmaster = this.#postmasterPid();
    // Patroni would restart PostgreSQL.
    await this.#patroni?.kill();
    if (postmaster === undefined) return;
    signalProcess(postmaster, 'SIGSTOP');
    const backends = listChildren(postmaster);
    for (const pid of [postmaster, ...backends]) signalProcess(pid, 'SIGKILL');
  }

  /** Freezes the processes that send the log to the replicas, until the member is killed. */
  stopSending(): void {
    const listed = ['-o', 'pid=,args=', '--ppid', String(this.#postmasterPid())];
    const lines = execFileSync('ps', listed, { encoding: 'utf8' }).trim().split('\n');
    const senders = lines
      .filter((line) => line.includes('walsender'))
      .map((line) => Number.parseInt(line, 10));
    for (const pid of senders) signalProcess(pid, 'SIGSTOP');
  }

  async isLeader(): Promise<boolean> {
    return (await this.ask('/primary'))?.status === 200;
  }

  /** Asks Patroni's REST API; `undefined` if it does not answer. */
  async ask(path: string): Promise<{ status: number; body: unknown } | undefined> {
    try {
      const signal = AbortSignal.timeout(restTimeoutMs);
      const response = await fetch(`http://127.0.0.1:${this.#restPort}${path}`, { signal });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }

  urlOf(database: string, { user, password }: Login): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  #postmasterPid(): number | undefined {
    try {
      const [pid] = readFileSync(join(this.#dataFolder, 'postmaster.pid'), 'utf8').split('\n');
      return Number(pid);
    } catch {
      return undefined;
    }
  }

  /** Patroni reads YAML, which includes JSON. */
  #configure({ etcdPort, synchronous, ttlSeconds }: ClusterSettings) {
    const { adminLogin, postgresFolder } = this.#programs;
    const local = (port: number) => `127.0.0.1:${port}`;
    return {
      scope: 'fieldroster',
      name: this.name,
      etcd3: { host: local(etcdPort) },
      restapi: { listen: local(this.#restPort), connect_address: local(this.#restPort) },
      bootstrap: {
        dcs: {
          ttl: ttlSeconds,
          loop_wait: Math.floor(ttlSeconds / 6),
          retry_timeout: Math.floor(ttlSeconds / 3),
          maximum_lag_on_failover: 64 * 1024 * 1024,
          synchronous_mode: synchronous,
          postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      },
      postgresql: {
        listen: local(this.port),
        connect_address: local(this.port),
        data_dir: this.#dataFolder,
        bin_dir: postgresFolder,
        pgpass: join(this.#folder, `${this.name}.pgpass`),
        authentication: {
          superuser: { username: adminLogin.user, password: adminLogin.password },
          replication: replicationLogin,
        },
        parameters: { unix_socket_directories: this.#folder },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
      },
    };
  }
}
