import type { AdviceValues, Sentences } from '@fieldroster/contract/console';

const holder = '如果是导入或其他耗时的命令，请等它完成，否则请结束该进程';
const undone = '尚未提交的内容会被撤销';

/** The advice about the doctor's findings. */
export const advice: Sentences<AdviceValues> = {
  stopProcess: ({ pid }) =>
    `运行 ps -o args= -p ${pid} 查看该进程在做什么；${holder}（kill ${pid}），${undone}。`,
  findProcess: ({ path }) => `运行 fuser -v ${path} 找到该进程；${holder}，${undone}。`,
  endSession: ({ pid }) =>
    `请该会话的所有者结束事务，或用 select pg_terminate_backend(${pid}) 结束该会话，${undone}。`,
  decidePrepared: ({ name }) =>
    `请先询问该事务的所有者事务是否应当生效，然后以该数据库角色或超级用户运行 commit prepared ${name} 或 rollback prepared ${name}。`,

  asServerUser: () => '请以运行服务器的系统用户进行检查。',
  waitForLock: () => '请重新检查。如果找不到持有锁的会话，请等待锁释放。',
  setClock: () => '请校准时钟，并用 NTP（chronyd 或 systemd-timesyncd）保持同步。',
  setNodeClock: ({ host }) =>
    `请校准 ${host}（如果是容器，则为其所在主机）的时钟，并用 NTP（chronyd 或 systemd-timesyncd）保持同步；该节点的进程会在一分钟内报告新的差值。`,
  setClockIfWrong: () =>
    '请校准有误的时钟。如果所有时钟现在都已正确，则无需处理：到该时间后，此警告会自行消失。',
  findServerWithClock: ({ isDeleted }) => {
    const end = isDeleted ? '服务器连续运行一天后会删除它' : '到该时间后，此警告会自行消失';
    return `请打开每台服务器的 /readyz，其中会报告有偏差的时钟。请校准该时钟。如果所有时钟现在都已正确，则无需处理：这条记录没有危害，${end}。`;
  },
  waitForWrites: () => '请等到该时间。如果之后仍被拒绝，请校准时钟。',
  waitBeforeRule: () => '改用其他规则之前，请校准时钟，或等到该时间。',
  resetClaims: () => '请校准时钟，然后阅读 fieldroster claims reset --help。',
  nameDataFolder: () => '请用 --data 指定服务器的数据文件夹，并以运行服务器的系统用户进行检查。',
  makeRoom: () => '请腾出空间，否则写入会被拒绝（代码 1503）。',
  makeRoomForBackup: ({ times }) =>
    `请腾出空间，否则写入会被拒绝（代码 1503）。在此磁盘上备份最多需要数据库 ${times} 倍的空间。`,
  keepFewerBackups: () => '请腾出空间，或用 --backup-keep 减少保留的备份，否则无法备份。',
  freeDisk: () => '如果磁盘已满，请腾出空间；否则请以运行服务器的系统用户进行检查，并让该用户拥有此文件夹。',
  ownFolder: () => '请以运行服务器的系统用户进行检查，并让该用户拥有此文件夹。',
  mountForWriting: () => '请将此文件夹所在的文件系统挂载为可写。',
  useLocalDisk: () => '每次写入都要等待磁盘。请使用本地磁盘，并检查是否有其他程序在写同一块磁盘。',
  bringNearer: () => '每次调用需要两到六条语句。请将服务器部署在离数据库更近的位置。',

  finishUpgrade: () => '请完成升级或回退，让所有节点运行同一个版本。',
  startNewer: () => '请启动更新的版本，或恢复数据表变更之前的备份。',
  openTables: () => '请以拥有这些数据表的数据库角色连接，或为当前的数据库角色授予权限并停用行级安全。',
  migrate: () => '请运行 fieldroster migrate。',
  restoreParts: ({ engine }) =>
    engine === 'sqlite'
      ? '这些内容被 Fieldroster 以外的程序删除了。索引可以用 fieldroster migrate 重新创建；缺少数据表时，请恢复备份。'
      : '可能是恢复没有完成，或这些内容被 Fieldroster 以外的程序删除了。请重新恢复到一个空的数据库。',
  makeAgain: () => '请运行 fieldroster migrate 重新创建索引和触发器。',
  setEngine: ({ name, wanted }) => `请将 ${name} 设为 ${wanted}，然后重新启动数据库。`,
  addTrigrams: () => '如果速度太慢，请添加扩展 pg_trgm 和索引，参见 docs/scaling.md。',

  closeFile: ({ path }) => `请运行 chmod 600 ${path}。`,
  closeFolder: ({ path }) => `请运行 chmod o-w ${path}。`,

  restoreKeyUnlessNew: () => '如果不是新目录，请恢复其中之一，参见 docs/keys.md。',
  repairKey: () => '请处理这个问题，然后重新检查。只有密钥丢失或损坏时才需要恢复，参见 docs/keys.md。',
  restoreKey: ({ variable }) => `请恢复 master.key，或设置 ${variable}，参见 docs/keys.md。`,
  checkKeys: () =>
    '请运行 fieldroster key check 查看需要哪个主密钥。如果加密值已损坏，参见 docs/keys.md 中的“If a sealed value is damaged”。',
  continueRotation: () => '请运行 fieldroster key rotate 继续轮换。',
  finishRotation: () => '请运行 fieldroster key rotate --finish 完成轮换。',
  giveKey: () => '请为该进程提供当前的主密钥并重新启动。在此之前，新密钥在该进程中无法使用。',

  setBackupFolder: () => '请用 --backup-to 或 FIELDROSTER_BACKUP_TO 指定。',
  setBackupTime: () => '请用 --backup-every 或 FIELDROSTER_BACKUP_EVERY 指定。',
  otherPort: () => '请为其中之一选择另一个端口。',
  correctVariable: () => '请更正变量名，或取消设置。',
  setDatabase: ({ flag }) => `请设置 --database，或去掉 ${flag}。`,
  nameReplica: () => '请指定一个流复制副本，或去掉 --database-replica。',
  raiseBatchLimit: () => '请调高 --batch-body-limit。',
  backUpElsewhere: () => '请指定其他文件夹，最好在另一块磁盘上。',
  moveDatabase: () => '请将该文件移到别处；如果数据在其中，请去掉 --database。',
  moveKey: () => '请将该文件移到存放旧密钥的位置。',
  moveKeyFromBackups: () => '请将该文件移到与备份分开存放密钥的位置。',
  raiseFiles: () => '请调高打开文件数的上限（LimitNOFILE、ulimit -Hn），或调低 --connections-max。',
  lowerConnections: () => '请调低 --workers 或 --database-pool-size，或调高 max_connections。',
  lowerWorkers: () => '请将 --workers 调低到 CPU 核心数。',
  useWorkers: () => '请只保留其中一个服务器；需要更多进程时，请使用 --workers。',
  removeReplayOff: () => '请去掉 --replay，除非是在测试中重放录下的流量。',
  allowStop: ({ needed }) =>
    `请将等待时间设为至少 ${needed} 秒（TimeoutStopSec、stop_grace_period、terminationGracePeriodSeconds），或调低 --drain。`,
  correctSetting: () => '请更正后重新检查。在此之前无法进行其他检查。',

  makeFirstBackup: () => '如果没有用其他程序备份，请运行 fieldroster backup --verify --to FILE 进行备份。',
  backUpAfterClock: () =>
    '如果时钟不准，请先校准；只要数据库没有损坏，就请立即运行 fieldroster backup --verify --to FILE 进行备份。',
  makeBackup: () => '请立即备份，并查明为什么没有更新的备份。',
  verifyBackup: ({ file, isOld }) =>
    `请运行 fieldroster backup verify ${file} 进行验证${isOld ? '；然后立即备份，并查明为什么没有更新的备份' : ''}。`,
  asRoot: ({ folder }) => `当前系统用户无权进入 ${folder}，请以 root 身份进行检查。`,
  asBackupUser: () => '请以负责备份的系统用户进行检查。',
  nameBackupFolder: () =>
    '请创建该文件夹，或用 --backup-to 指定正确的文件夹，或以运行服务器的系统用户进行检查。',
  replaceErasures: ({ file }) => `请换成另一份副本，例如备份旁边的 ${file}。`,

  readRecords: () =>
    '请让运行服务器的系统用户拥有该文件，并以该用户进行检查。如果已经如此，请在系统日志中查找磁盘故障。',
  restartForRecords: () =>
    '请重新启动服务器：服务器会将损坏的文件移开，并新建一个。操作员需要重新登录。然后请检查磁盘，参见 docs/monitoring.md 中的“When the file is lost”。',
  breakCycle: () => '请为每个循环中的一个组织更换上级组织：使用 PUT /org 或 fieldroster org import。',
  keepForAudit: () => '审计记录被人删除，或被数据库丢失。请保留一份数据库副本，然后恢复备份。',

  runAgain: () => '处理后请重新检查。',
  nameDatabase: () =>
    '请指定正确的数据库。如果它的文件夹是在服务器运行时被删除或移走的，请先不要停止该服务器：所有写入仍在服务器打开的文件中，参见 docs/runbook.md 中的“A damaged database”。然后请重新检查。',
  repairDamage: ({ engine }) =>
    engine === 'sqlite'
      ? '如果文件是在服务器运行时被删除的，请先不要停止该服务器：所有写入仍在服务器打开的文件中。否则请停止服务器。如果文件被移动或替换过，请放回正确的文件；否则请保留数据文件夹原样，并将最近的备份恢复到新的文件夹，参见 docs/runbook.md 中的“A damaged database”。'
      : '请运行 pg_amcheck，用 REINDEX 重建索引，用最近的备份恢复损坏的表，然后检查磁盘，参见 docs/runbook.md 中的“A damaged database”。',
  runAgainWhenReadable: () => '数据库可以读取后，请重新检查。',
  lookAtOthers: () => '请先查看其他检查结果，例如是否缺少数据表。',
};
