import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import { BackgroundProgram } from './background-program.ts';
import { type ClusterSettings, PatroniMember } from './patroni-member.ts';
import type { PatroniPrograms } from './patroni-programs.ts';

export interface PatroniOptions {
  /** Whether a write is acknowledged only when a second member has it. */
  readonly synchronous: boolean;
  /** How long the leader keeps its role without renewing it, in seconds. */
  readonly ttlSeconds: number;
}

/** A member as Patroni's REST API describes it. */
interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

const settleMsMax = 120_000;
const login = { user: 'fieldroster', password: 'secret of the test' };

/** Three PostgreSQL servers that Patroni manages, with one etcd, all on this machine. */
export class PatroniCluster {
  readonly members: readonly PatroniMember[];
  readonly #etcd: BackgroundProgram;
  readonly #folder: string;
  readonly #programs: PatroniPrograms;
  readonly #synchronous: boolean;

  private constructor(
    parts: { etcd: BackgroundProgram; folder: string; members: readonly PatroniMember[] },
    programs: PatroniPrograms,
    { synchronous }: PatroniOptions,
  ) {
    this.members = parts.members;
    this.#etcd = parts.etcd;
    this.#folder = parts.folder;
    this.#programs = programs;
    this.#synchronous = synchronous;
  }

  /** Resolves once the leader has two replicas. */
  static async start(programs: PatroniPrograms, options: PatroniOptions): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'fieldroster-patroni-'));
    chownSync(folder, programs.user.uid, programs.user.gid);
    const [etcdPort, peerPort] = await reservePorts(2);
    const etcd = startEtcd(programs, folder, etcdPort ?? 0, peerPort ?? 0);
    const ports = await reservePorts(6);
    const settings: ClusterSettings = { ...options, folder, etcdPort: etcdPort ?? 0 };
    const members = [0, 1, 2].map(
      (index) =>
        new PatroniMember(programs, settings, {
          name: `member${index + 1}`,
          port: ports[2 * index] ?? 0,
          restPort: ports[2 * index + 1] ?? 0,
        }),
    );
    const cluster = new PatroniCluster({ etcd, folder, members }, programs, options);
    try {
      for (const member of members) member.start();
      await cluster.untilWhole();
    } catch (error) {
      const output = members.map((member) => member.output).join('\n');
      await cluster.stop();
      throw new Error(`the cluster did not start:\n${output}`, { cause: error });
    }
    return cluster;
  }

  /** Makes an empty database that belongs to an ordinary role. Returns its URL, which lists all hosts. */
  async createDatabase(name: string): Promise<string> {
    const leader = await this.leader();
    const admin = leader.urlOf('postgres', this.#programs.adminLogin);
    await runSql(admin, `create role ${login.user} login password '${login.password}'`);
    await runSql(admin, `create database ${name} owner ${login.user}`);
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const { user, password } = login;
    return `postgres://${user}:${encodeURIComponent(password)}@${hosts}/${name}?target_session_attrs=read-write`;
  }

  /** Returns the URL of a database on the leader alone. */
  async leaderUrl(name: string): Promise<string> {
    return (await this.leader()).urlOf(name, login);
  }

  /** Resolves with the member that holds the leader's lock and takes writes. */
  leader(): Promise<PatroniMember> {
    return until('a member is the leader', async () => {
      for (const member of this.members) if (await member.isLeader()) return member;
      return undefined;
    });
  }

  /** Resolves once the other members follow the leader; with synchronous replication, one of them synchronously. */
  async untilWhole(): Promise<void> {
    await until('two members follow the leader', async () => {
      const members = await this.#describe();
      const leader = members.find(({ role }) => role === 'leader');
      const following = members.filter(
        ({ role, state, timeline }) =>
          role !== 'leader' && ['running', 'streaming'].includes(state) && timeline === leader?.timeline,
      );
      const isSynchronous = following.some(({ role }) => role === 'sync_standby');
      return following.length === 2 && isSynchronous === this.#synchronous ? true : undefined;
    });
  }

  /** Lets Patroni hand the leader's role to another member. */
  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const { user, environment } = this.#programs;
    execFileSync(
      'patronictl',
      ['-c', leader.configurationFile, 'switchover', '--leader', leader.name, '--force'],
      { ...user, env: environment, cwd: this.#folder, stdio: 'pipe', timeout: settleMsMax },
    );
  }

  async stop(): Promise<void> {
    for (const member of this.members) await member.kill();
    await this.#etcd.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #describe(): Promise<readonly MemberState[]> {
    for (const member of this.members) {
      const answer = await member.ask('/cluster');
      if (answer?.status === 200) return (answer.body as { members: MemberState[] }).members;
    }
    return [];
  }
}

function startEtcd(
  programs: PatroniPrograms,
  folder: string,
  port: number,
  peerPort: number,
): BackgroundProgram {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return new BackgroundProgram('etcd', {
    ...programs,
    cwd: folder,
    arguments: [
      ...['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `etcd=${peerUrl}`],
    ],
  });
}

function reservePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => reservePort()));
}

async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = performance.now() + settleMsMax;
  while (performance.now() < giveUpAt) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error(`after ${settleMsMax} ms it is still not true that ${what}`);
}
