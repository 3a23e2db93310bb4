import type { FindingValues, LockValues, Sentences, UnmadeCheck } from '@fieldroster/contract/console';
import { written } from '../written.ts';
import { sayReason } from './reasons.ts';
import { settings } from './settings.ts';

const time = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'medium' });

const checkNames: Readonly<Record<string, string>> = settings.doctor.checks;

/** Names checks as the page does. */
function namesOf(checks: readonly UnmadeCheck[]): string {
  return checks
    .map(({ name, inPart }) => `“${checkNames[name] ?? name}”${inPart ? '（部分）' : ''}`)
    .join('、');
}

function because(reason: string): string {
  return sayReason(reason).inBrackets;
}

function spaced(name: string | undefined): string {
  return name === undefined ? '' : ` ${name} `;
}

function sizeOf(mebibytes: number): string {
  return mebibytes < 10 * 1024 ? `${written(mebibytes)} MiB` : `${written(Math.round(mebibytes / 1024))} GiB`;
}

const locks: Sentences<LockValues> = {
  lockOfProcess: ({ pid, program, startedAt }) => {
    const since = startedAt === undefined ? '' : `，该进程启动于 ${time.format(startedAt)}`;
    return `进程 ${pid}（${program}）一直持有写锁，所有写入都在等待${since}。`;
  },
  lockOfSomebody: () => '另一个进程一直持有写锁，所有写入都在等待。',
  lockOfSession: ({ pid, application, role, address, state, since, command, waitsFor, tables, waiting }) => {
    const from = [
      application === '' ? '' : `应用程序 ${application}`,
      `数据库角色 ${role || '未知'}`,
      address === '' ? '' : `来自 ${address}`,
    ];
    const begun = since === undefined ? '' : `自 ${time.format(since)} 起`;
    const statement = command === '' ? '其他语句' : ` ${command} `;
    const doing = {
      unknown: '正在执行当前数据库角色无权查看的操作',
      idle: `${begun}在事务中空闲，之前执行的是${statement}`,
      running: `${begun}正在执行${statement}${waitsFor === '' ? '' : `，等待 ${waitsFor}`}`,
    };
    const held = tables.length === 0 ? '' : `，持有以下表的锁：${tables.join('、')}`;
    const blocked = waiting === 0 ? '' : `，有 ${waiting} 个会话在等待`;
    return `会话 ${pid}（${from.filter(Boolean).join('，')}）${doing[state].trimEnd()}${held}${blocked}。`;
  },
  lockOfPrepared: ({ gid, role, since, waiting }) => {
    const blocked = waiting === 0 ? '' : `，有 ${waiting} 个会话在等待`;
    return `预备事务 ${gid}（数据库角色 ${role}）自 ${time.format(since)} 起一直持有锁${blocked}。`;
  },
};

/** The findings of the doctor. */
export const findings: Sentences<FindingValues> = {
  ...locks,
  locksUnknown: () => '无法得知是否有锁阻塞写入：当前系统用户不能写数据库。',
  noLocks: () => '没有锁阻塞写入。',
  lockedOut: ({ checks }) => `有一个锁连读取也阻止，因此无法完成以下检查：${namesOf(checks)}。`,

  ownClock: () => '数据库使用本机的时钟；可用 timedatectl 或 chronyc tracking 查看时钟是否准确。',
  clocksDiffer: ({ seconds, ahead, secondsMax }) => {
    if (seconds === 0) return '本机时钟与数据库的时钟一致。';
    const limit = secondsMax === undefined ? '' : `；相差超过 ${secondsMax} 秒时，节点不会就绪`;
    return `本机时钟比数据库的${ahead ? '快' : '慢'} ${seconds} 秒${limit}。`;
  },
  nodeClockDiffers: ({ host, pid, seconds, ahead, agoSeconds, secondsMax }) => {
    const limit = secondsMax === undefined ? '' : `；相差超过 ${secondsMax} 秒时，节点不会就绪`;
    return `${host} 上的进程 ${pid} 最近一次报告（${agoSeconds} 秒前）时，该节点的时钟比数据库的${ahead ? '快' : '慢'} ${seconds} 秒${limit}。`;
  },
  changeInFuture: ({ at }) =>
    `最新的变更记录的时间是 ${time.format(at)}，晚于当前时间：可能有时钟偏快，或本机时钟偏慢。`,
  callInFuture: ({ requestId, at }) =>
    `失败的调用 ${requestId} 的时间是 ${time.format(at)}，晚于当前时间：可能有时钟偏快，或本机时钟偏慢。`,
  writesRefused: ({ until, asAfterRestore, readsToo }) => {
    const refused = `${time.format(until)} 之前会拒绝所有写入${readsToo ? '和所有签名的读取' : ''}`;
    return asAfterRestore
      ? `${refused}：可能刚刚恢复过备份，或曾有时钟偏快。`
      : `${refused}，因为曾有时钟偏快。`;
  },
  writesAccepted: ({ until }) =>
    `由于 --replay off，写入会被接受；在其他规则下，${time.format(until)} 之前会拒绝所有写入。`,

  diskUnseen: () => '从这里看不到 PostgreSQL 的磁盘，请在数据库所在的机器上监控。',
  freeUnknown: ({ folder, reason }) => `无法得知 ${folder} 的剩余空间${because(reason)}。`,
  free: ({ folder, freeMebibytes, usedMebibytes }) => {
    const used =
      usedMebibytes === undefined ? '当前系统用户看不到数据库的大小' : `数据库占用 ${sizeOf(usedMebibytes)}`;
    return `${folder} 剩余 ${sizeOf(freeMebibytes)}，${used}。`;
  },
  freeForBackups: ({ folder, freeMebibytes, neededMebibytes }) => {
    const needed = neededMebibytes === undefined ? '' : `；一次备份最多需要 ${sizeOf(neededMebibytes)}`;
    return `备份所在的 ${folder} 剩余 ${sizeOf(freeMebibytes)}${needed}。`;
  },

  nothingWritten: ({ folder, reason }) => `无法在 ${folder} 中写入文件${because(reason)}。`,
  syncTakes: ({ folder, median, longest, count }) =>
    `在 ${folder} 中写入磁盘需要 ${median} 毫秒（${count} 次的中位数，最长 ${longest} 毫秒）。`,
  statementTakes: ({ median, longest, count }) =>
    `与 PostgreSQL 往返一次需要 ${median} 毫秒（${count} 次的中位数，最长 ${longest} 毫秒）。`,

  tablesKnown: () => '数据表与当前版本一致。',
  tablesNewer: ({ migrations, servable }) =>
    `数据表已被更新的版本修改（${migrations}）${servable ? '' : '，当前版本无法使用'}。`,
  tablesOlder: ({ migrations }) => `数据表缺少以下迁移：${migrations}。`,
  tablesClosed: ({ examples }) => `连接所用的数据库角色无法使用全部数据表：${examples}。`,
  partsMissing: ({ examples }) => `数据库中缺少：${examples}。`,
  orderNotKept: ({ examples }) => `变更顺序没有得到维护，用户表的触发器有问题：${examples}。`,
  engineSetting: ({ name, value }) => `数据库的 ${name} 为 ${value}，断电时可能丢失已确认的写入。`,
  searchNotKept: ({ examples }) => `用户搜索索引没有得到维护：${examples}。`,
  searchSlow: ({ examples }) => `搜索时会读取全部用户：${examples}。`,

  noFileModes: () => '此系统没有文件权限模式。',
  fileOpen: ({ path, mode, toEverybody }) =>
    `${path} 的权限为 ${mode}，${toEverybody ? '本机的任何用户' : '所属组的用户'}都可以访问。`,
  folderOpen: ({ path, mode }) => `${path} 的权限为 ${mode}，本机的任何用户都可以替换其中的文件。`,
  filesClosed: ({ folder }) => `只有所有者可以读取 ${folder} 中的文件。`,
  noFolder: ({ folder }) => `没有文件夹 ${folder}，或当前系统用户无权查看。`,

  keyOpens: ({ values }) => `主密钥可以解开全部 ${written(values)} 个加密值。`,
  keyFound: ({ place }) => `${place} 中有有效的主密钥。`,
  noKey: ({ folder, variable }) => `${folder} 中没有主密钥，也没有设置 ${variable}。`,
  keyUnusable: ({ reason }) => `主密钥无法使用${because(reason)}。`,
  noKeyFor: ({ values }) => `这里没有主密钥，但有 ${written(values)} 个加密值需要主密钥才能解开。`,
  keyDoesNotOpen: ({ values, examples }) => `主密钥无法解开 ${written(values)} 个加密值：${examples}。`,
  rotationBegun: ({ key }) => `主密钥轮换尚未完成，新密钥为 ${key}。`,
  rotationNotFinished: ({ key }) => `主密钥轮换尚未收尾：仍保留着上一个密钥 ${key}。`,
  processLacksKey: ({ pid, host, held, key }) =>
    `${host} 上的进程 ${pid}（持有 ${held}）没有当前的主密钥 ${key}。`,

  settingsAgree: () => '各项配置没有矛盾。',
  backupNeedsFolder: () => '服务器将无法启动：设置了 --backup-every，但没有指定备份文件夹。',
  backupNeedsTime: () => '服务器将无法启动：设置了 --backup-to，但没有指定备份间隔。',
  samePort: ({ first, second, port }) => `服务器将无法启动：${first} 和 ${second} 使用了同一个端口 ${port}。`,
  serveRefuses: ({ reason }) => `服务器将无法启动${because(reason)}。`,
  variable: ({ reason }) => `环境变量${spaced(/FIELDROSTER_\w+/.exec(reason)?.[0])}可能有误。`,
  flagWithoutDatabase: ({ flag }) => `设置了 ${flag}，但没有设置 --database。`,
  sameReplica: () => '--database-replica 与 --database 指向同一个数据库。',
  batchLimitBelow: ({ batch, single }) =>
    `--batch-body-limit（${written(batch)} 字节）小于 --body-limit（${written(single)} 字节），批量请求反而比单个请求受限。`,
  backupsBesideKey: () => '--backup-to 就是数据文件夹，备份与能解开备份中密钥的主密钥放在了一起。',
  databaseUnused: ({ path }) => `已设置 --database，因此内置数据库 ${path} 没有被使用。`,
  keyFileUnused: ({ path, variable }) => `已设置 ${variable}，因此 ${path} 中的另一个密钥没有被使用。`,
  fewFiles: ({ connections, files }) =>
    `serve 最多接受 ${written(connections)} 个连接，但一个进程最多只能打开 ${written(files)} 个文件。`,
  manyWorkers: ({ workers, cores }) =>
    `--workers 为 ${workers}，但本机只有 ${cores} 个 CPU 核心；超出核心数的工作进程只会多占内存和连接，并不能处理更多请求。`,
  replayOff: () => '--replay off：重复发送的签名写入会再次生效，而且无法查明某次写入是否已经生效。',
  longDrain: ({ drain, needed, allowed }) =>
    `--drain 为 ${drain}，停止服务器可能需要 ${needed} 秒，但 deploy/ 中的文件只等待 ${allowed} 秒，之后进程会被强行终止。`,
  separateServers: ({ processes }) =>
    `${processes.length} 个服务器在使用这个数据库（${processes.map(({ pid, host }) => `${host} 上的进程 ${pid}`).join('、')}），各自计算速率限制，因此一个应用的请求数最多可达上限的 ${processes.length} 倍。`,
  manyConnections: ({ workers, pool, wanted, accepted }) =>
    `${workers} 个工作进程、每个连接池 ${pool} 个连接，最多会打开 ${wanted} 个连接，但 PostgreSQL 只接受 ${accepted} 个。`,

  noBackup: () => '没有备份记录。',
  lastBackup: ({ file, ...age }) => `最近的备份是 ${ago(age)}的：${file}。`,
  backupFound: ({ file, ...age }) => `最近的备份是 ${ago(age)}的：${file}。尚不清楚能否用该备份恢复。`,
  backupUnsure: ({ file, tenant, createdAt, ...age }) =>
    `找到一份 ${ago(age)}的备份：${file}。该备份来自首个租户为“${tenant}”（创建于 ${time.format(createdAt)}）的数据库，尚不清楚该数据库是否就是本数据库，也不清楚能否用该备份恢复。`,
  backupInFuture: ({ at, file, verified }) =>
    `${verified ? '最近一次验证过的备份' : '最近的备份'} ${file} 记录的时间是 ${time.format(at)}，晚于当前时间：可能有时钟偏快，或本机时钟偏慢。`,
  backupUnread: ({ file, more }) =>
    `当前系统用户无权读取 ${file}${more > 0 ? ` 和另外 ${more} 个文件` : ''}，其中可能有更新的备份。`,
  keyAmongBackups: ({ file }) =>
    `${file} 看起来是主密钥，却与备份放在一起：拿到该文件夹的人可能也能解开备份中的密钥。单独的 SHA-256 摘要看起来与密钥一样。`,
  backupFolder: ({ folder, reason }) => `无法使用备份文件夹 ${folder}${because(reason)}。`,
  erasuresUnknown: ({ reason }) => `无法得知恢复时能否应用清除名单${because(reason)}。`,
  erasuresUnusable: ({ reason }) => `恢复时将无法应用清除名单${because(reason)}。`,

  recordsInDatabase: () => '运行记录保存在数据库中。',
  recordsNotYet: ({ file }) => `还没有 ${file}，服务器启动时会创建。`,
  recordsReadable: ({ file }) => `${file} 可以读取。`,
  recordsUnread: ({ file, reason }) => `无法读取 ${file}${because(reason)}。`,
  recordsDamaged: ({ file, reason }) =>
    `${file} 无法使用${because(reason)}。目录不受影响，但调用统计、失败的调用、密钥的最近使用时间、密码输错次数、数量统计和操作员的会话都已丢失。`,

  orgsFormTrees: () => '组织的上下级关系没有循环。',
  orgCycles: ({ count, examples }) =>
    `${written(count)} 个组织位于自身之下，或位于这样的组织之下：${examples}。`,

  writesAudited: ({ writes }) =>
    writes === 0 ? '目前没有可供核对的已受理写入。' : `近期受理的 ${written(writes)} 次写入都有审计记录。`,
  writesNotAudited: ({ count, writes, examples }) =>
    `近期受理的 ${written(writes)} 次写入中，有 ${written(count)} 次没有审计记录：${examples}。`,

  unopened: ({ reason }) => `无法打开数据库${because(reason)}。`,
  damaged: ({ location, reason }) => `数据库 ${location} 已损坏或无法读取${because(reason)}。`,
  unmade: ({ checks }) => `因此无法完成以下检查：${namesOf(checks)}。`,
  checkFailed: ({ reason }) => `无法完成这项检查${because(reason)}。`,
};

function ago({ hours, minutes }: { readonly hours: number; readonly minutes: number }): string {
  return minutes < 120 ? `${written(minutes)} 分钟前` : `${written(hours)} 小时前`;
}
