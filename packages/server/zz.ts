import { openDirectory, importStores } from '@fieldroster/server';
import { rmSync } from 'node:fs';
rmSync('/tmp/fr/d',{recursive:true,force:true});
console.log('base', process.resourceUsage().maxRSS/1024);
const d=await openDirectory({data:'/tmp/fr/d'});
 const t=performance.now(); let r=0;
console.log(await importStores(d,{tenant:'default',file:process.argv[2],onProgress(){r=process.memoryUsage.rss()/1e6}}), performance.now()-t, r,process.resourceUsage().maxRSS/1024);
await d.store.close();
