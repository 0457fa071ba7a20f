package rating

// Edition is the newest edition of the anchors.
const Edition = 7

// anchors are how strong the levels were found to be. An edition never changes once
// results name it: whoever measures anew adds another. Each game comes from two ladders,
//
//	copse ladder GAME --players level:1,…,level:8 --seats 2,3,4 --games GAMES --seed anchors
//	copse ladder GAME --players level:6,level:7,level:8,level:9 --seats 2,3,4 --games GAMES --seed anchors
//
// with as many games at each size as stand beside it. The second is laid over the first
// where both know levels 6 to 8. Levels that came out in the wrong order share what they
// have, a few points apart. Up to edition 6 level 10 was not measured, as it thinks for half
// a second a turn: it was taken to be as far above level 9 as levels are apart on average,
// and so was level 9 where the second ladder is missing. With so few games a level may
// be 50 points off.
//
// Edition 2 came when playouts had learned their habits: from level 4 on levels play
// otherwise. Levels 6, 7 and 8 were given a little more time after that (5, 9 and 22
// milliseconds in place of 3, 6 and 16), so that they are further from the one below.
// Edition 3 came when those of Tree Society knew the cards, and measured all three games
// with the longer times. Edition 4 came when nets judged playouts of levels 6 and above in
// Bosk of three and four, GrandBois of two and Tree Society of three: those four were
// measured anew, and the others are as they were but for the stretch. Edition 5 came when
// in Bosk of three and four only levels 9 and 10 judged by nets, those of their second
// generation, and in Tree Society none: Tree Society of three is as in edition 3 again, and
// in Bosk levels 1 to 8 are as far apart as in edition 3 but for what the second ladder
// says; a ladder of levels 6 to 9 with --seed anchors6 found how far level 9 is above
// them. Edition 6 came when levels 7, 8 and 9 were given less time (5, 13 and 48
// milliseconds in place of 9, 22 and 80), and measured all three games anew. Level 10 has
// hunches since then, and its points still followed from those of the others. Edition 7 came
// when level 9 of Bosk of three and four had a slight hunch, and no net for its playouts: a
// ladder of levels 6 to 9 of 240 games with --seed anchors7 says how far it is above the
// others there. In GrandBois of three levels 6 to 9 had less time: one ladder of levels 1 to 9,
// of 1,200 games with --seed anchors7, says how far apart they are. All other ladders are
// those of edition 6. Level 10 was measured too, in all games: it is as far above level 9 as
// whoever wins the share w of its games against a table of level 9 is by the model,
// 400·log10(w(n−1)/(1−w)) points at a table of n, times the stretch of that size. By the
// matches of docs/arena.md, that is; beside edition 7 stand the games of those. As level 10
// counts among the others, every stretch follows anew, and with it all points.
//
// The stretch makes the levels spread as far at each size as at all sizes on average
// (the geometric mean of their standard deviations).
func anchors() []Anchors {
	return []Anchors{
		{Edition: 1, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.43, Points: [Levels]float64{1299, 1312, 1391, 1432, 1456, 1532, 1541, 1622, 1683, 1731}},         // 360 games, 72 of levels 6 to 9
		{Edition: 1, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.2, Points: [Levels]float64{1295, 1321, 1366, 1436, 1445, 1528, 1627, 1643, 1648, 1692}},          // 360 games, 72 of levels 6 to 9
		{Edition: 1, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.96, Points: [Levels]float64{1259, 1324, 1364, 1446, 1520, 1527, 1599, 1632, 1640, 1688}},         // 360 games, 72 of levels 6 to 9
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.51, Points: [Levels]float64{1207, 1311, 1366, 1491, 1492, 1494, 1552, 1656, 1686, 1746}},    // 240 games, 72 of levels 6 to 9
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 1.08, Points: [Levels]float64{1248, 1326, 1330, 1422, 1468, 1500, 1606, 1679, 1683, 1738}},    // 240 games, 72 of levels 6 to 9
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 1.81, Points: [Levels]float64{1218, 1330, 1391, 1398, 1430, 1557, 1619, 1627, 1686, 1744}},    // 240 games, 72 of levels 6 to 9
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 1.01, Points: [Levels]float64{1236, 1277, 1352, 1386, 1418, 1543, 1594, 1680, 1726, 1787}},  // 360 games, 72 of levels 6 to 9
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 0.9, Points: [Levels]float64{1215, 1310, 1356, 1391, 1438, 1495, 1565, 1673, 1745, 1811}},   // 360 games, 72 of levels 6 to 9
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 1.1, Points: [Levels]float64{1208, 1289, 1342, 1420, 1453, 1523, 1561, 1674, 1733, 1799}},   // 360 games, 72 of levels 6 to 9
		{Edition: 2, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.55, Points: [Levels]float64{1228, 1318, 1320, 1404, 1479, 1515, 1587, 1677, 1706, 1766}},         // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.09, Points: [Levels]float64{1302, 1309, 1314, 1388, 1432, 1514, 1571, 1622, 1747, 1803}},         // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.67, Points: [Levels]float64{1287, 1304, 1311, 1404, 1438, 1501, 1610, 1611, 1739, 1795}},         // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.49, Points: [Levels]float64{1221, 1259, 1326, 1384, 1442, 1496, 1573, 1646, 1792, 1863}},    // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 0.97, Points: [Levels]float64{1235, 1290, 1315, 1390, 1401, 1503, 1542, 1638, 1808, 1879}},    // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 2.08, Points: [Levels]float64{1192, 1232, 1328, 1361, 1493, 1501, 1636, 1684, 1751, 1821}},    // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 0.9, Points: [Levels]float64{1205, 1292, 1296, 1370, 1374, 1440, 1593, 1744, 1805, 1880}},   // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 1, Points: [Levels]float64{1209, 1241, 1328, 1349, 1445, 1469, 1520, 1724, 1819, 1896}},     // 240 games, 72 of levels 6 to 9
		{Edition: 2, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 1.11, Points: [Levels]float64{1204, 1208, 1318, 1395, 1421, 1471, 1566, 1755, 1794, 1868}},  // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.57, Points: [Levels]float64{1215, 1304, 1306, 1410, 1449, 1551, 1659, 1661, 1692, 1752}},         // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.15, Points: [Levels]float64{1266, 1271, 1275, 1373, 1505, 1556, 1640, 1670, 1695, 1749}},         // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.53, Points: [Levels]float64{1271, 1278, 1284, 1330, 1544, 1550, 1626, 1683, 1690, 1742}},         // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.49, Points: [Levels]float64{1199, 1249, 1327, 1362, 1450, 1542, 1544, 1691, 1781, 1854}},    // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 1.08, Points: [Levels]float64{1233, 1237, 1253, 1365, 1452, 1540, 1644, 1701, 1755, 1820}},    // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 1.88, Points: [Levels]float64{1181, 1247, 1311, 1350, 1450, 1552, 1627, 1704, 1753, 1824}},    // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 1.07, Points: [Levels]float64{1166, 1257, 1324, 1370, 1394, 1477, 1621, 1729, 1792, 1870}},  // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 1.01, Points: [Levels]float64{1162, 1231, 1346, 1394, 1441, 1474, 1537, 1708, 1813, 1895}},  // 240 games, 72 of levels 6 to 9
		{Edition: 3, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 0.93, Points: [Levels]float64{1185, 1218, 1315, 1377, 1406, 1507, 1576, 1778, 1782, 1857}},  // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.81, Points: [Levels]float64{1095, 1222, 1225, 1372, 1428, 1572, 1726, 1729, 1773, 1858}},         // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.03, Points: [Levels]float64{1122, 1230, 1259, 1348, 1352, 1599, 1666, 1749, 1795, 1879}},         // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.19, Points: [Levels]float64{1184, 1189, 1236, 1336, 1338, 1604, 1697, 1777, 1782, 1857}},         // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.49, Points: [Levels]float64{1172, 1275, 1316, 1352, 1437, 1531, 1631, 1717, 1749, 1821}},    // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 1.08, Points: [Levels]float64{1233, 1237, 1253, 1365, 1452, 1540, 1644, 1701, 1755, 1820}},    // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 1.88, Points: [Levels]float64{1181, 1247, 1311, 1350, 1450, 1552, 1627, 1704, 1753, 1824}},    // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 1.07, Points: [Levels]float64{1166, 1257, 1324, 1370, 1394, 1477, 1621, 1729, 1792, 1870}},  // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 1.01, Points: [Levels]float64{1165, 1264, 1300, 1335, 1402, 1547, 1596, 1769, 1773, 1849}},  // 240 games, 72 of levels 6 to 9
		{Edition: 4, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 0.93, Points: [Levels]float64{1185, 1218, 1315, 1377, 1406, 1507, 1576, 1778, 1782, 1857}},  // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.77, Points: [Levels]float64{1115, 1236, 1238, 1378, 1431, 1569, 1714, 1718, 1760, 1841}},         // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.07, Points: [Levels]float64{1232, 1236, 1241, 1331, 1455, 1500, 1592, 1597, 1869, 1948}},         // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.21, Points: [Levels]float64{1254, 1260, 1265, 1301, 1475, 1480, 1525, 1589, 1886, 1965}},         // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.49, Points: [Levels]float64{1172, 1275, 1316, 1352, 1437, 1531, 1631, 1717, 1749, 1821}},    // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 1.08, Points: [Levels]float64{1233, 1237, 1253, 1365, 1452, 1540, 1644, 1701, 1755, 1820}},    // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 1.88, Points: [Levels]float64{1181, 1247, 1311, 1350, 1450, 1552, 1627, 1704, 1753, 1824}},    // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 1.07, Points: [Levels]float64{1166, 1257, 1324, 1370, 1394, 1477, 1621, 1729, 1792, 1870}},  // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 1.01, Points: [Levels]float64{1162, 1231, 1346, 1394, 1441, 1474, 1537, 1708, 1813, 1895}},  // 240 games, 72 of levels 6 to 9
		{Edition: 5, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 0.93, Points: [Levels]float64{1185, 1218, 1315, 1377, 1406, 1507, 1576, 1778, 1782, 1857}},  // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.93, Points: [Levels]float64{1085, 1241, 1245, 1400, 1468, 1602, 1637, 1710, 1763, 1848}},         // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 0.87, Points: [Levels]float64{1252, 1272, 1276, 1330, 1409, 1496, 1536, 1568, 1890, 1970}},         // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.24, Points: [Levels]float64{1261, 1285, 1290, 1327, 1431, 1463, 1525, 1534, 1902, 1982}},         // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "grandbois", Version: 1, Seats: 2, Measured: 9, Stretch: 0.43, Points: [Levels]float64{1212, 1256, 1327, 1342, 1416, 1555, 1589, 1697, 1768, 1837}},    // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "grandbois", Version: 1, Seats: 3, Measured: 9, Stretch: 1.30, Points: [Levels]float64{1201, 1207, 1294, 1410, 1460, 1572, 1598, 1705, 1743, 1810}},    // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "grandbois", Version: 1, Seats: 4, Measured: 9, Stretch: 1.79, Points: [Levels]float64{1171, 1283, 1291, 1418, 1434, 1538, 1570, 1684, 1768, 1843}},    // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 0.87, Points: [Levels]float64{1187, 1212, 1290, 1352, 1409, 1493, 1602, 1723, 1826, 1906}},  // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 0.99, Points: [Levels]float64{1138, 1214, 1287, 1361, 1493, 1527, 1538, 1744, 1807, 1891}},  // 240 games, 72 of levels 6 to 9
		{Edition: 6, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 1.16, Points: [Levels]float64{1146, 1238, 1285, 1357, 1449, 1488, 1583, 1737, 1816, 1900}},  // 240 games, 72 of levels 6 to 9
		{Edition: 7, Game: "bosk", Version: 1, Seats: 2, Measured: 10, Stretch: 0.77, Points: [Levels]float64{1158, 1287, 1290, 1419, 1475, 1586, 1615, 1675, 1719, 1776}},        // 400 games against level 9
		{Edition: 7, Game: "bosk", Version: 1, Seats: 3, Measured: 10, Stretch: 0.96, Points: [Levels]float64{1268, 1291, 1295, 1355, 1442, 1538, 1582, 1617, 1728, 1886}},        // 87 games against level 9
		{Edition: 7, Game: "bosk", Version: 1, Seats: 4, Measured: 10, Stretch: 1.36, Points: [Levels]float64{1280, 1306, 1311, 1352, 1466, 1501, 1569, 1579, 1694, 1942}},        // 84 games against level 9
		{Edition: 7, Game: "grandbois", Version: 1, Seats: 2, Measured: 10, Stretch: 0.44, Points: [Levels]float64{1208, 1253, 1326, 1341, 1417, 1560, 1595, 1706, 1779, 1815}},   // 560 games against level 9
		{Edition: 7, Game: "grandbois", Version: 1, Seats: 3, Measured: 10, Stretch: 1.29, Points: [Levels]float64{1210, 1289, 1310, 1357, 1445, 1530, 1561, 1622, 1786, 1889}},   // 240 games against level 9
		{Edition: 7, Game: "grandbois", Version: 1, Seats: 4, Measured: 10, Stretch: 1.75, Points: [Levels]float64{1175, 1285, 1293, 1417, 1433, 1534, 1566, 1677, 1760, 1861}},   // 352 games against level 9
		{Edition: 7, Game: "treesociety", Version: 5, Seats: 2, Measured: 10, Stretch: 0.90, Points: [Levels]float64{1179, 1205, 1285, 1349, 1408, 1495, 1608, 1733, 1840, 1897}}, // 400 games against level 9
		{Edition: 7, Game: "treesociety", Version: 5, Seats: 3, Measured: 10, Stretch: 0.98, Points: [Levels]float64{1137, 1212, 1285, 1358, 1489, 1522, 1533, 1737, 1799, 1928}}, // 99 games against level 9
		{Edition: 7, Game: "treesociety", Version: 5, Seats: 4, Measured: 10, Stretch: 1.14, Points: [Levels]float64{1147, 1238, 1284, 1355, 1445, 1483, 1577, 1728, 1806, 1937}}, // 84 games against level 9
	}
}
